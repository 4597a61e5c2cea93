/** A message whose PUBACK came: the machine, the time it told, and the steady clock then. */
export type Acknowledged = readonly [code: string, time: number, at: number]
