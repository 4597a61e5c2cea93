import { projectLimits } from '@busbar/contract'
import type { embeddingText as cn } from '../cn/project-embedding.ts'

export const embeddingText: typeof cn = {
  title: 'Embedding',
  hint: 'Your portal can show the pages of the project’s devices in an iframe, as visits of a member.',
  https: 'This platform isn’t on https. Browsers show embedded devices in pages on https only.',
  origins: 'Websites that may embed',
  originsHint: `The scheme, the host name and the port, at most ${projectLimits.origins}. Frames in other websites stay empty.`,
  origin: 'Origin of a website',
  originPlaceholder: 'https://portal.example.com',
  originMissing: 'Enter an origin',
  originTwice: 'This origin is in the list already',
  add: 'Add',
  added: 'Added',
  remove: (origin) => `Remove ${origin}`,
  removed: (origin) => `${origin} was removed, and visits in it ended`,
  none: 'No website yet, so frames stay empty',
  call: 'Get an address',
  callHint: 'Your server calls it. The address is for one use within 60 seconds: put it into an iframe.',
  more: 'For developers has whole examples in each language.',
  machines: 'Devices and consents',
  machinesHint:
    'Embedded visits are read-only until the Akey of the device consents in its administration, under Projects. When they withdraw it, visits end within a second.',
  search: 'Search devices',
  columns: { name: 'Device', consent: 'Embedded visits', online: 'Online' },
  consents: { yes: 'Can control', no: 'Read-only' },
  onlines: { yes: 'Online', no: 'Offline' },
  empty: 'No devices in this project yet',
  emptyHint: 'Add devices under Devices to embed their pages.',
}
