// ---- Keeping, dropping and notes: only where a server keeps them ----

function annotation() {
  return undefined;
}

function hasDropped() {
  return false;
}

function annotationTools() {
  return [];
}
