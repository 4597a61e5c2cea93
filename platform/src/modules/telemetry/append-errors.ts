/** The sender appends faster than the queue can hold; the whole message was refused. */
export class TelemetryBusy extends Error {
  override name = 'TelemetryBusy'
}

/** The records cannot be stored, also not when they are sent again. */
export class RecordsRefused extends Error {
  override name = 'RecordsRefused'
}

/** The store itself failed: the records are not acknowledged, and the sender sends them again. */
export class StoreFailed extends Error {
  override name = 'StoreFailed'
}

/** The platform stopped before the commit: the sender sends the records again. */
export class TelemetryStopped extends Error {
  override name = 'TelemetryStopped'
}
