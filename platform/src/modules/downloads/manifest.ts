import { z } from 'zod'

const word = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/)
const version = z.string().regex(/^[0-9A-Za-z][0-9A-Za-z.+~-]{0,63}$/)

const manifest = z.object({
  version,
  files: z
    .array(
      z.object({
        program: word,
        system: word,
        version: version.optional(),
        /** A name in the manifest's own folder, never a path. */
        file: z.string().regex(/^[0-9A-Za-z][\w.+~-]{0,127}$/),
        bytes: z.int().min(1),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .max(1_000),
})

/** The programs of a version, as the build lists them. */
export interface Manifest {
  readonly version: string
  readonly files: readonly {
    readonly program: string
    readonly system: string
    readonly version: string
    readonly file: string
    readonly bytes: number
    readonly sha256: string
  }[]
}

/** Undefined where the bytes are something else. */
export function readManifest(bytes: Buffer): Manifest | undefined {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
  const read = manifest.safeParse(value)
  if (!read.success) return undefined
  const { version: ofAll, files } = read.data
  return { version: ofAll, files: files.map((file) => ({ ...file, version: file.version ?? ofAll })) }
}
