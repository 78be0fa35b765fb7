/* The one place that names the version: setup.py and CMakeLists.txt read it from here. */
#ifndef KVWIRE_VERSION_H
#define KVWIRE_VERSION_H

#define KVW_VERSION_STRING "0.1.0"

#endif
