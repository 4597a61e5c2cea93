import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Clock } from '../clock.ts'
import { parseTold } from './parse-told.ts'
import { pause } from './pause.ts'
import type { PositionSource } from './told.ts'

const everyMs = 10_000
const fileBytesMax = 64 * 1_024

/** A JSON file that another program of the computer writes: `{"gps":{…},"cells":[…],"wifi":[…]}`, each part optional. */
export function fileSource(path: string, clock: Clock): PositionSource {
  return {
    name: path,
    async run(tell, signal) {
      let readAt = Number.NaN
      while (!signal.aborted) {
        // Opening a pipe would wait for its writer.
        const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
        try {
          const { mtimeMs, size } = await file.stat().then((stat) => {
            if (!stat.isFile()) throw new Error('it is not a file')
            return stat
          })
          if (size > fileBytesMax) throw new Error(`it is larger than ${fileBytesMax} bytes`)
          if (mtimeMs === readAt) tell({})
          else tell(parseTold(await readText(file, size), mtimeMs))
          readAt = mtimeMs
        } finally {
          await file.close()
        }
        await pause(everyMs, clock, signal)
      }
    },
  }
}

/** As many bytes as the file had: it may grow meanwhile. */
async function readText(file: Awaited<ReturnType<typeof open>>, size: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0)
  return buffer.toString('utf8', 0, bytesRead)
}
