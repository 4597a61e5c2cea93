import type { machineProjectsText as cn } from '../cn/machine-projects.ts'

const projects = (count: number) => (count === 1 ? '1 project' : `${count} projects`)

export const machineProjectsText: typeof cn = {
  title: 'Projects',
  lead: 'These projects get the values of this device and send them to systems outside. Writing, and operating it in an embedded page, need the consent of its Akey; without it embedded pages are for viewing.',
  search: 'Search projects',
  columns: {
    name: 'Project',
    by: 'Added by',
    since: 'Added',
    write: 'May write',
    visit: 'May operate embedded',
    given: 'Consent',
  },
  ownedBy: (owner) => `Owner: ${owner}`,
  stopped: 'Stopped',
  allowed: 'Yes',
  notAllowed: 'No',
  notWanted: 'Not used',
  consentOf: (what, project) => `${what}: ${project}`,
  givenBy: (who, at) => `${who}, ${at}`,
  given: 'Consent given',
  taken: 'Consent withdrawn',
  akeyOnly: 'Only the Akey gives and withdraws consent',
  withdraw: 'Withdraw',
  withdrawTitle: (name) => `Withdraw the device from “${name}”?`,
  withdrawMany: (count) => `Withdraw the device from ${projects(count)}?`,
  withdrawBody: 'The project gets no more values immediately, and writing and embedding end as well.',
  withdrawn: (name) => `Withdrawn from “${name}”`,
  withdrawnMany: (count) => `Withdrawn from ${projects(count)}`,
  empty: 'No project gets the values of this device',
  emptyHint: 'A project to which the device is added appears here.',
}
