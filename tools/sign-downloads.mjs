// `npm run sign`: signs the manifest of the programs to download. Run where the private key is, which is never on a
// platform (docs/operations.md: programs to download).
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { downloadsFolder } from './package-downloads.mjs'
import { describeFailure } from './run-command.mjs'

const help = `npm run sign -- --key FILE [--in FOLDER]      signs manifest.json into manifest.sig
npm run sign -- --key FILE --new               makes a key pair: FILE (private) and FILE.pub (for DOWNLOADS_KEY_FILE)

The key is an ed25519 key in PEM; the folder is dist/downloads unless another is named.`

/** Makes a key pair; a file that is there is kept. @param {string} keyFile */
export function createSigningKey(keyFile) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const flag = 'wx'
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag })
  writeFileSync(`${keyFile}.pub`, publicKey.export({ type: 'spki', format: 'pem' }), { flag })
}

/**
 * Signs the manifest of a folder.
 * @param {{ keyFile: string, folder: string }} options
 * @returns {string} the path of the signature
 */
export function signDownloads({ keyFile, folder }) {
  const manifest = join(folder, 'manifest.json')
  if (!existsSync(manifest)) throw new Error(`${manifest} is missing: npm run package makes it.`)
  const key = createPrivateKey(readFileSync(keyFile))
  if (createPublicKey(key).asymmetricKeyType !== 'ed25519')
    throw new Error(`${keyFile} is not an ed25519 key.`)
  const path = join(folder, 'manifest.sig')
  writeFileSync(path, `${sign(null, readFileSync(manifest), key).toString('base64')}\n`)
  return path
}

/** @param {string[]} args */
function main(args) {
  const { values } = parseArgs({
    args,
    options: {
      key: { type: 'string' },
      in: { type: 'string' },
      new: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return console.log(help)
  if (!values.key) throw new Error(help)
  const here = process.env.INIT_CWD ?? process.cwd()
  const keyFile = resolve(here, values.key)
  if (values.new) {
    createSigningKey(keyFile)
    console.log(
      `${keyFile} signs and is kept away from every platform; ${keyFile}.pub is for DOWNLOADS_KEY_FILE`,
    )
  } else
    console.log(signDownloads({ keyFile, folder: values.in ? resolve(here, values.in) : downloadsFolder }))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    main(process.argv.slice(2))
  } catch (error) {
    console.error(describeFailure(error))
    process.exitCode = 1
  }
}
