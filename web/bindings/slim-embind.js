// A smaller replacement for parts of embind's JavaScript, for the widget's module alone: the CMake option
// ATTENTION_SLIM_EMBIND chooses it, and tests/web/build/embind.test.mjs compares its results with stock embind's.
//
// It relies on what the bindings of lessons do: slim_embind_types.cpp lists every type, no function has overloads, every
// JavaScript method that the core calls takes one value and returns nothing, and the number of arguments is right.
// emcc uses these functions instead of its own of the same names.
//
// biome-ignore-all lint/complexity/useArrowFunction: emcc knows functions of this form alone

mergeInto(LibraryManager.library, {
  $Emval__deps: ['$emval_handle_array', '$emval_free_list'],
  $Emval: {
    toValue: function (handle) {
      return emval_handle_array[handle].value;
    },
    toHandle: function (value) {
      const handle = emval_free_list.pop() || emval_handle_array.length;
      emval_handle_array[handle] = { refcount: 1, value };
      return handle;
    },
  },

  $takeValue__deps: ['$Emval', '_emval_decref'],
  $takeValue: function (handle) {
    const value = Emval.toValue(handle);
    __emval_decref(handle);
    return value;
  },

  $readLatin1String__deps: [],
  $readLatin1String: function (pointer) {
    let text = '';
    while (HEAPU8[pointer]) {
      text += String.fromCharCode(HEAPU8[pointer++]);
    }
    return text;
  },

  // Numbers, and no result, cross as WebAssembly has them.
  $crossesUnchanged__deps: ['$registeredTypes'],
  $crossesUnchanged: function (rawType) {
    const unchanged = (value) => value;
    registeredTypes[rawType] = { give: unchanged, take: unchanged };
  },

  _embind_register_void__deps: ['$crossesUnchanged'],
  _embind_register_void: function (rawType) {
    crossesUnchanged(rawType);
  },

  _embind_register_integer__deps: ['$crossesUnchanged'],
  _embind_register_integer: function (rawType) {
    crossesUnchanged(rawType);
  },

  _embind_register_emval__deps: ['$Emval', '$registeredTypes', '$takeValue'],
  _embind_register_emval: function (rawType) {
    registeredTypes[rawType] = { give: Emval.toHandle, take: takeValue };
  },

  _embind_register_memory_view__deps: ['$registeredTypes'],
  _embind_register_memory_view: function (rawType, typedArray) {
    const View = typedArray === 1 ? Uint8Array : Float64Array;
    registeredTypes[rawType] = (size, data) => new View(buffer, data, size);
  },

  _embind_register_function__deps: ['$heap32VectorToArray', '$readLatin1String', '$registeredTypes'],
  _embind_register_function: function (name, count, rawTypes, _, rawInvoker, target) {
    const types = heap32VectorToArray(count, rawTypes);
    const invoke = wasmTable.get(rawInvoker);
    Module[readLatin1String(name)] = (...given) => {
      const values = given.map((value, index) => registeredTypes[types[index + 1]].give(value));
      return registeredTypes[types[0]].take(invoke(target, ...values));
    };
  },

  _emval_get_method_caller__deps: [],
  _emval_get_method_caller: function () {
    return 0; // all methods have the same signature
  },

  _emval_call_void_method__deps: ['$Emval', '$heap32VectorToArray', '$readLatin1String', '$takeValue'],
  _emval_call_void_method: function (_, handle, name, values) {
    Emval.toValue(handle)[readLatin1String(name)](takeValue(heap32VectorToArray(1, values)[0]));
  },

  _emval_take_value__deps: ['$Emval', '$heap32VectorToArray', '$registeredTypes'],
  _emval_take_value: function (rawType, view) {
    return Emval.toHandle(registeredTypes[rawType](...heap32VectorToArray(2, view)));
  },
});
