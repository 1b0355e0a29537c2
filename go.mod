module github.com/beamdiff/beamdiff

go 1.26.0
