/** The target of an attack, and the attacker's person, machines and tags. */
export interface AttackTarget {
  readonly url: string
  readonly webPort: number
  readonly mqttPort: number
  /** Where the attacker may listen, for destinations of projects. */
  readonly receiverPort: number
  /** A signed-in person's. */
  readonly token: string
  /** A machine that this person holds. */
  readonly machineId: number
  readonly tagIds: readonly number[]
  readonly machines: readonly { readonly code: string; readonly secret: string }[]
}
