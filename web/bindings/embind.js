// What embind's JavaScript leaves to be decided while it runs, and here is settled: types.cpp lists every type, no function
// has a second form, and the tests call each with the arguments that it takes. A call costs less so, and the generated code
// is a third shorter. `emcc` takes these in place of its own.
//
// biome-ignore-all lint/complexity/useArrowFunction: emcc knows functions of this form alone

mergeInto(LibraryManager.library, {
  $throwBindingError__deps: [],
  $throwBindingError: function (message) {
    throw new Error(message);
  },

  $Emval__deps: ['$emval_handle_array', '$emval_free_list', '$throwBindingError'],

  $registerType__deps: ['$registeredTypes'],
  $registerType: function (rawType, registered) {
    registeredTypes[rawType] = registered;
  },

  $requireRegisteredType__deps: ['$registeredTypes'],
  $requireRegisteredType: function (rawType) {
    return registeredTypes[rawType];
  },

  _embind_register_integer__deps: ['$readLatin1String', '$registerType'],
  _embind_register_integer: function (rawType, name) {
    const unsigned = (value) => value >>> 0;
    registerType(rawType, {
      name: readLatin1String(name),
      fromWireType: unsigned,
      toWireType: (_, value) => unsigned(value),
    });
  },

  _embind_register_function__deps: ['$heap32VectorToArray', '$readLatin1String', '$registeredTypes'],
  _embind_register_function: function (name, count, rawTypes, _, rawInvoker, target) {
    const types = heap32VectorToArray(count, rawTypes);
    const invoke = wasmTable.get(rawInvoker);
    Module[readLatin1String(name)] = (...given) => {
      const values = given.map((value, index) => registeredTypes[types[index + 1]].toWireType(null, value));
      return registeredTypes[types[0]].fromWireType(invoke(target, ...values));
    };
  },

  _emval_get_method_caller__deps: ['_emval_addMethodCaller', '_emval_lookupTypes', '$emval_registeredMethods'],
});
