// Small shell scripts that start an unpacked program with its own libraries and fonts, wherever the checkout
// is.
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @param {string} needsDir
 * @param {string} name
 * @param {{ program: string, libraries: string[], args?: string[] }} options places below `needsDir`; `$needs` in `args`
 *   stands for it
 */
export function writeWrapper(needsDir, name, { program, libraries, args = [] }) {
  const path = join(needsDir, 'bin', name)
  const libraryPath = libraries.map((folder) => `$needs/${folder}`).join(':')
  const script = [
    '#!/bin/sh',
    // Without any program: PATH may be empty.
    `needs=$(cd "\${0%/*}/.." && pwd)`,
    `export LD_LIBRARY_PATH="${libraryPath}\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"`,
    'export FONTCONFIG_FILE="$needs/fonts.conf"',
    `exec "$needs/${program}" ${args.map((arg) => `"${arg}" `).join('')}"$@"`,
    '',
  ].join('\n')
  mkdirSync(join(needsDir, 'bin'), { recursive: true })
  writeFileSync(`${path}.new`, script)
  chmodSync(`${path}.new`, 0o755)
  renameSync(`${path}.new`, path)
}

/**
 * The system's fonts and the fetched ones.
 * @param {string} needsDir
 */
export function writeFontConfig(needsDir) {
  mkdirSync(needsDir, { recursive: true })
  writeFileSync(
    join(needsDir, 'fonts.conf'),
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>/usr/share/fonts</dir>
  <dir prefix="relative">debian/usr/share/fonts</dir>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`,
  )
}
