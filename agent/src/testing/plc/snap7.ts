import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from '../../../../testkit/src/free-port.ts'
import { startServerProgram } from './server-program.ts'

export type Snap7Area = 'DB' | 'M' | 'I' | 'Q' | 'T' | 'C'

/** A controller of snap7, with a client of snap7 that looks into it. */
export interface Snap7 {
  port: number
  /** Changes bytes in the controller's memory. */
  set(area: Snap7Area, db: number, start: number, bytes: Uint8Array): Promise<void>
  /** The bytes as another client sees them. */
  get(area: Snap7Area, db: number, start: number, count: number): Promise<Buffer>
  /** A client of snap7 that a test lets work through `port`, by default at 127.0.0.1. */
  connectTool(port: number, address?: string): Promise<Snap7Tool>
  stop(): Promise<void>
}

export interface Snap7Tool {
  get(area: Snap7Area, db: number, start: number, count: number): Promise<Buffer>
  /** Writes bytes of a data block; resolves with snap7's error, 0 for none. */
  set(db: number, start: number, bytes: Uint8Array): Promise<number>
  /** Of the acts in s7-server.cpp; resolves with snap7's error. */
  act(what: string): Promise<number>
}

export interface Snap7Options {
  /** The length of messages that the controller insists on; 0 accepts the requested one. */
  pduBytes?: number
  /** By default one that is free. */
  port?: number
  /** Bytes of each data block, by its number. */
  blocks: Readonly<Record<number, number>>
}

export async function startSnap7({ pduBytes = 240, blocks, ...wished }: Snap7Options): Promise<Snap7> {
  const port = wished.port ?? (await findFreePort())
  const dataBlocks = Object.entries(blocks).map(([db, bytes]) => `${db}:${bytes}`)
  const program = await startServerProgram(await buildServer(), [
    String(port),
    String(pduBytes),
    ...dataBlocks,
  ])
  async function get(order: string, place: readonly (string | number)[]): Promise<Buffer> {
    const [word, hex = ''] = (await program.tell([order, ...place].join(' '))).split(' ')
    if (word !== 'bytes') throw new Error(`snap7's client: ${word} ${hex}`)
    return Buffer.from(hex, 'hex')
  }
  async function errorOf(order: string): Promise<number> {
    return Number((await program.tell(order)).split(' ')[1])
  }
  return {
    port,
    async set(area, db, start, bytes) {
      await program.tell(`set ${area} ${db} ${start} ${Buffer.from(bytes).toString('hex')}`)
    },
    get: (...place) => get('get', place),
    async connectTool(toolPort, address = '127.0.0.1') {
      const error = await errorOf(`tool ${toolPort} ${address}`)
      if (error !== 0) throw new Error(`snap7's client cannot connect: ${error}`)
      return {
        get: (...place) => get('tool-get', place),
        set: (db, start, bytes) =>
          errorOf(`tool-set DB ${db} ${start} ${Buffer.from(bytes).toString('hex')}`),
        act: (what) => errorOf(`tool-do ${what}`),
      }
    },
    stop: () => program.stop(),
  }
}

/** Compiles it once; the program lies beside snap7's sources and is named after its own. */
async function buildServer(): Promise<string> {
  const folder = process.env.BUSBAR_SNAP7
  if (folder === undefined) throw new Error('this needs snap7: tools/test-needs.mjs fetches it')
  const source = join(import.meta.dirname, 's7-server.cpp')
  const version = createHash('sha256')
    .update(await readFile(source))
    .digest('hex')
    .slice(0, 12)
  const program = join(folder, `s7-server-${version}`)
  if (existsSync(program)) return program
  const snap7 = join(folder, 'node_modules/node-snap7/deps/snap7/src')
  const sources: string[] = []
  for (const part of ['core', 'sys']) {
    const names = await readdir(join(snap7, part))
    sources.push(...names.filter((name) => name.endsWith('.cpp')).map((name) => join(snap7, part, name)))
  }
  const includes = ['core', 'sys', 'lib'].map((part) => `-I${join(snap7, part)}`)
  // Written under a temporary name first: another run may be compiling it too.
  const unfinished = `${program}.${process.pid}`
  const args = ['-O1', '-w', '-pthread', ...includes, '-o', unfinished, source, ...sources]
  await promisify(execFile)(process.env.BUSBAR_CXX ?? 'g++', args)
  await rename(unfinished, program)
  return program
}
