// Package python sets up the Python that the reference runs on: CPython and
// pip, both carried inside this module, and the packages of a [Lock], installed
// into the cache folder. Nothing of the machine's own Python is used.
//
//  1. [CacheDir] says where: $BEAMDIFF_CACHE, else beamdiff in the user's cache
//     folder. An environment's name is made from CPython's version, the
//     platform and the lock's hash, so that another lock is another environment.
//  2. [Ensure] looks for the environment and compares its files with the
//     manifest that was written when it was built: names, sizes, which files are
//     executable. This takes some 30 ms and starts no process.
//     Of another release of Transformers ([Options].Release) the lock is in the
//     cache folder, beside the environments; the first use makes it, as like the
//     default lock as the release allows, and every later one goes by it.
//  3. Where it is missing or damaged it is built in a folder beside it, under a
//     file lock: CPython is unpacked, pip installs the lock (hashes required,
//     wheels only), what a worker imports is compiled, the manifest is written.
//     The finished folder is renamed into place, so an environment is there
//     whole or not at all. What a killed run left is removed by the next one.
//  4. [Env.Command] starts its Python, frozen: no user site, no variables of the
//     parent but a short list, fixed hash seed, time zone and locale, no network.
//  5. A set-up that fails is a [*SetupError], which says what was tried, what pip
//     said, and what to do. It leaves nothing half-installed.
package python
