import type { visitChangesText as cn } from '../cn/visit-changes.ts'

export const visitChangesText: typeof cn = {
  ways: {
    write: () => 'written on the platform',
    page: () => 'on the device’s page',
    port: (port) => `by a tool through port ${port}`,
  },
  place: (place, unit) => `${place}, unit ${unit}`,
  none: 'This visit changed no values',
  noneYet: 'The visit is still active and has changed no values so far.',
  never: 'This visit was never in control, so it changed no values',
  open: 'The visit is still active. These are its changes so far.',
  settling: 'The visit just ended. Waiting for the last values…',
  cut: 'There are too many changes to list all of them.',
  revision: (from, to) => `Agent configuration changed: version ${from} → version ${to}`,
  drifts: (count) => `Also different (${count})`,
  driftsHint:
    'No write of these values is known. They changed on their own, or in a way that the platform can’t see.',
  selectAll: 'Select all',
  select: (name) => `Select ${name}`,
  most: (count) => `At most ${count} at a time`,
  putBack: 'Put back',
  putBackTitle: (count) => (count === '1' ? 'Put back 1 value?' : `Put back ${count} values?`),
  putBackHint:
    'The former values are written to the device, which needs control of it. A value that has been changed since isn’t put back.',
  ofUnchanged: (name, why) => `${name}: ${why}`,
  report: {
    title: 'Changes',
    none: 'No visit of this period left a value different.',
    change: 'Before → after',
    way: 'Changed',
    total: 'Values changed',
  },
}
