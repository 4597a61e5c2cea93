import { createPublicKey, verify } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { downloads as contract } from '@busbar/contract'
import type { Logger } from '../../kernel/logger.ts'
import { type Manifest, readManifest } from './manifest.ts'

export const manifestName = 'manifest.json'
export const signatureName = 'manifest.sig'
const manifestBytesMax = 1_048_576

/** The programs as they are offered. */
export interface OfferedFiles {
  readonly state: contract.DownloadState
  readonly files: readonly contract.Download[]
  readonly manifest: Buffer | undefined
  readonly signature: Buffer | undefined
}

interface Options {
  readonly dir: string
  /** The public key in PEM; without it signatures are not checked. */
  readonly keyFile: string | undefined
  readonly logger: Logger
}

/**
 * The programs in a folder, as its manifest lists them; an operator may put others there while the platform runs. Nothing
 * is offered whose manifest is not signed by the operator's key, where the platform knows that key
 * (rules/agents.md: programs to download).
 */
export class Downloads {
  readonly #options: Options
  #read: { readonly version: string; readonly offered: Promise<OfferedFiles> } | undefined

  constructor(options: Options) {
    this.#options = options
  }

  async list(): Promise<OfferedFiles> {
    const version = await this.#version()
    if (this.#read?.version !== version) this.#read = { version, offered: this.#readFolder() }
    return this.#read.offered
  }

  /** The bytes of a file from one place to another, both included. */
  open(file: contract.Download, from: number, to: number): AsyncIterable<Uint8Array> {
    return createReadStream(join(this.#options.dir, file.file), { start: from, end: to })
  }

  /** Another text after each change of the folder or the key. */
  async #version(): Promise<string> {
    const { dir, keyFile } = this.#options
    const paths = [dir, join(dir, manifestName), join(dir, signatureName), ...(keyFile ? [keyFile] : [])]
    const seen = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)))
    return seen.map((one) => (one ? `${one.mtimeMs}/${one.size}/${one.ino}` : '-')).join()
  }

  async #readFolder(): Promise<OfferedFiles> {
    const { dir, logger } = this.#options
    const manifest = await readShort(join(dir, manifestName))
    if (!manifest) return { state: 'missing', files: [], manifest: undefined, signature: undefined }
    const signature = await readShort(join(dir, signatureName))
    const listed = readManifest(manifest)
    const state = listed ? await this.#judge(manifest, signature) : 'wrong'
    if (state === 'wrong') logger.error({ dir, isReadable: listed !== undefined }, 'downloads.refused')
    if (!listed || state === 'wrong')
      return { state: 'wrong', files: [], manifest: undefined, signature: undefined }
    return { state, files: await this.#present(listed), manifest, signature }
  }

  async #judge(manifest: Buffer, signature: Buffer | undefined): Promise<'signed' | 'unsigned' | 'wrong'> {
    const { keyFile } = this.#options
    if (!keyFile) return 'unsigned'
    if (!signature) return 'wrong'
    try {
      const key = createPublicKey(await readFile(keyFile))
      const isRight = verify(null, manifest, key, Buffer.from(signature.toString().trim(), 'base64'))
      return isRight && key.asymmetricKeyType === 'ed25519' ? 'signed' : 'wrong'
    } catch (error) {
      this.#options.logger.error({ err: error, keyFile }, 'downloads.keyUnreadable')
      return 'wrong'
    }
  }

  /** Those whose bytes are there: an operator may copy only some of them. */
  async #present({ files }: Manifest): Promise<contract.Download[]> {
    const seen = await Promise.all(
      files.map(async (file): Promise<contract.Download[]> => {
        const found = await stat(join(this.#options.dir, file.file)).catch(() => undefined)
        if (found?.size !== file.bytes) return []
        return [{ ...file, url: `${contract.downloadPath}${file.file}` }]
      }),
    )
    return seen.flat()
  }
}

/** Undefined where there is no such file, or a longer one than is read. */
async function readShort(path: string): Promise<Buffer | undefined> {
  const handle = await open(path).catch(() => undefined)
  if (!handle) return undefined
  try {
    return (await handle.stat()).size <= manifestBytesMax ? await handle.readFile() : undefined
  } finally {
    await handle.close()
  }
}
