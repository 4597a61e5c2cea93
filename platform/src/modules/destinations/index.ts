/** Destinations: the systems to which projects send their rows, and what was sent to them. */

export { createDestinationsModule, type DestinationsModule } from './destinations-module.ts'
export { newSecret } from './signature.ts'
export { secretOwner } from './webhook.ts'
