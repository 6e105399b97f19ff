#include <emscripten/bind.h>
EMSCRIPTEN_BINDINGS(x){}
