import type { destinations } from '@busbar/contract'

/** Something that happened to a destination of a project, which its members are told of; its name and the project’s stand beside it. */
interface OfDestination {
  readonly projectId: number
  readonly enterpriseId?: number
  readonly destinationId: number
  readonly told: readonly number[]
  readonly by: null
}

/** Facts of destinations, by kind. */
export interface DestinationFacts {
  /** It has failed for some time. */
  'destination.failed': OfDestination & { readonly fault: destinations.DestinationFault }
  /** It accepts again, after a failure that members were told of. */
  'destination.recovered': OfDestination
  'destination.switchedOff': OfDestination & { readonly reason: destinations.SwitchOffReason }
}
