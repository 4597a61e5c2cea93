/** An owner of a machine. */
export type OwnerName = { readonly userId: number } | { readonly enterpriseId: number }

/** The outcome of a write to a machine. */
interface OfWrite {
  readonly machineId: number
  readonly writeId: number
  readonly tagId: number
  /** The person who wrote; left out for writes at the machine itself. */
  readonly userId?: number
  readonly source: 'console' | 'page' | 'machine'
  /** The reason, from the controller or as a code of the platform. */
  readonly reason: string
}

/** Facts of machines' connections and of writes to machines, by kind. */
export interface MachineFacts {
  /**
   * A machine has another owner, or none; `isFirst`: it never had one, so nothing was there before. An enterprise that
   * gets it calls the device by the name beside the fact; without one the giver makes the device.
   */
  'machine.ownerChanged': {
    readonly machineId: number
    readonly from: OwnerName | null
    readonly to: OwnerName | null
    readonly isFirst: boolean
  }
  'machine.online': { readonly machineId: number }
  'machine.offline': { readonly machineId: number }
  /** It came online and never was before; recorded once a machine, after its `machine.online`. */
  'machine.connectedFirst': { readonly machineId: number }
  /** It is at another place. */
  'machine.placed': { readonly machineId: number }
  /** It has been away from its place for ten minutes, this far. */
  'machine.moved': { readonly machineId: number; readonly metres: number }
  'write.confirmed': OfWrite
  'write.failed': OfWrite
  'write.timedOut': OfWrite
}
