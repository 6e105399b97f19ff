// The way in: files and pasted texts to tensors, tensors to a lesson's roles, matrices to files.

export { findInText, findTensors } from './formats.js';
export { matrixOf, roles, shapeAs, suggestRoles } from './roles.js';
export { readSafetensors } from './safetensors.js';
export { toCsv, toJson, toNpy, toNpz, toSafetensors } from './writers.js';
