import { configDefaults, configLimits } from './config.ts'
import type { Fields } from './fields.ts'
import type { ParsedConfig } from './parsed-config.ts'

const bytesPerMegabyte = 1024 * 1024

/** `outbox: {folder: /var/lib/outbox, megabytesMax: 64, drop: oldest, syncMs: 5000}`, or `{disk: false}`. */
export function parseOutbox(root: Fields): ParsedConfig['outbox'] {
  const { outboxMegabytesMin, outboxMegabytesMax, syncMsMax } = configLimits
  const fields = root.mapping('outbox')
  const megabytesMax = fields.integer('megabytesMax', outboxMegabytesMin, outboxMegabytesMax)
  const outbox = {
    disk: fields.boolean('disk') ?? true,
    folder: fields.text('folder', 4_096) ?? null,
    bytesMax: (megabytesMax ?? configDefaults.outboxMegabytes) * bytesPerMegabyte,
    drop: fields.oneOf('drop', ['oldest', 'newest']) ?? 'oldest',
    syncMs: fields.integer('syncMs', 0, syncMsMax) ?? configDefaults.syncMs,
  }
  fields.finish()
  return outbox
}
