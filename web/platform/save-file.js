/**
 * Hands a file to the reader, as a download.
 *
 * @param {Blob} file
 * @param {string} name
 */
export function saveFile(file, name) {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // a slow disk may still be reading
}
