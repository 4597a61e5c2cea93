/** Thrown to who appends faster than can be held; nothing of it was kept. */
export class TelemetryBusy extends Error {
  override name = 'TelemetryBusy'
}

/** Thrown to who appended records that cannot be stored; sending them again would not help. */
export class RecordsRefused extends Error {
  override name = 'RecordsRefused'
}

/** Thrown to who appended records while the store itself failed: not acknowledged, they are for the sender to send again. */
export class StoreFailed extends Error {
  override name = 'StoreFailed'
}

/** Thrown to whoever waits when the platform stops before the commit: it is for the sender to send again. */
export class TelemetryStopped extends Error {
  override name = 'TelemetryStopped'
}
