package python_test

import (
	"context"
	"fmt"
	"os"

	"github.com/beamdiff/beamdiff/reference/python"
)

func ExampleEnsure() {
	ctx := context.Background()
	e, err := python.Ensure(ctx, python.Options{
		Progress: func(e python.Event) { fmt.Fprintln(os.Stderr, e.Text) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	out, err := e.Command(ctx, "-c", "import jinja2; print(jinja2.Template('{{ 6 * 7 }}').render())").Output()
	fmt.Printf("%s%v, jinja2 %s\n", out, err, e.PackageVersion("jinja2"))
	// Output:
	// 42
	// <nil>, jinja2 3.1.6
}
