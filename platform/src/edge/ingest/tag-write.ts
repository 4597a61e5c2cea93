/** A value for a tag of a machine; of the tag's own type. */
export interface TagWrite {
  readonly group: string
  readonly tag: string
  readonly value: boolean | number | bigint | string
  /** The machine never declared whether the tag is writable; its keys opened it. */
  readonly isOpened?: boolean
}

/**
 * A write that the machine's protocol has a message for, bound to the connection that it was made for; `Sent` is a promise
 * where another process may hold that.
 */
export interface PreparedWrite<Sent extends boolean | Promise<boolean> = boolean> {
  /**
   * Sends it, once, at QoS 0; false when the machine went away meanwhile. `request` is the number a plain JSON machine
   * answers under. After `NotReachable` it may have been sent or not.
   */
  send(request: number): Sent
}

/**
 * The reason why a write cannot be sent: the machine, or the device behind it, is away; it does not subscribe to writes
 * or has no such tag just now; the value does not fit the announced type, or has more digits than that type keeps.
 */
export type Unwritable = 'offline' | 'unsupported' | 'range' | 'digits'
