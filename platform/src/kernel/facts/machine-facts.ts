/** How a write to a machine ended. */
interface OfWrite {
  readonly machineId: number
  readonly writeId: number
  readonly tagId: number
  /** Who wrote; left out where somebody at the machine did. */
  readonly userId?: number
  readonly source: 'console' | 'page' | 'machine'
  /** Why not, as the controller, or a code of the platform, tells it. */
  readonly reason: string
}

/** Facts of machines' connections and of what was written to them, by kind. */
export interface MachineFacts {
  'machine.online': { readonly machineId: number }
  'machine.offline': { readonly machineId: number }
  'write.confirmed': OfWrite
  'write.failed': OfWrite
  'write.timedOut': OfWrite
}
