import type { projects } from '@busbar/contract'
import type { projectsText as cn } from '../cn/projects.ts'

const states: Record<projects.ReportingState, string> = {
  failing: 'Failing',
  quotaOver: 'Quota used up',
  stopped: 'Stopped by the operator',
  off: 'Reporting off',
  waiting: 'Not set up yet',
  well: 'Reporting',
}

export const projectsText: typeof cn = {
  title: 'My projects',
  types: { 1: 'Enterprise projects', 2: 'Maintenance projects' },
  lead: 'Bring the values of your devices to a MES, an ERP or a portal of your own, without losing a row.',
  failed: 'The project couldn’t be loaded',
  states,
  list: {
    label: 'Kind of projects',
    search: 'Search projects',
    columns: {
      name: 'Project',
      state: 'State',
      machines: 'Devices',
      quota: 'Quota left this month',
      lag: 'Lag',
      worst: 'Worst destination',
      owner: 'Owner',
      created: 'Created',
    },
    inTime: 'In time',
    add: 'New project',
    empty: 'No projects yet',
    emptyHint:
      'A project collects the values of devices that you choose and sends them to your webhook, or your system pulls them by a cursor or subscribes by MQTT. Rows of an outage are kept and follow later.',
    emptyMember: 'Members with the permission for projects can create one for the enterprise.',
  },
  quota: {
    left: (left, of) => `${left} of ${of} rows left`,
    none: 'Devices bring a quota',
  },
  create: {
    title: 'New project',
    submit: 'Create',
    name: 'Name',
    description: 'Description',
    nameMissing: 'Enter a name for the project',
    after: 'After that, add devices and say where their data goes.',
    done: (name) => `“${name}” was created`,
  },
  invitations: {
    title: 'Invitations to projects',
    from: (who) => `${who} invites you`,
    accept: 'Join',
    decline: 'Decline',
    joined: (name) => `You joined “${name}”`,
    declined: 'Invitation declined',
  },
  message: {
    joined: 'You joined the project',
    withdrawn: 'This invitation was withdrawn',
    open: 'Open project',
  },
  others: {
    title: 'Other projects of the enterprise',
    lead: 'You don’t take part in these. Owners of the enterprise can take over a project whose owner left.',
    columns: { name: 'Project', owner: 'Owner', state: 'Reporting', machines: 'Devices', people: 'People' },
    on: 'On',
    off: 'Off',
    left: 'Left the enterprise',
    takeOver: 'Take over',
    takeTitle: (name) => `Take over the project “${name}”?`,
    takeBody: 'You become its owner, and manage its people, key and destinations.',
    taken: (name) => `You took over “${name}”`,
  },
  parts: {
    overview: 'Overview',
    machines: 'Devices',
    people: 'People',
    destinations: 'Destinations',
    deliveries: 'Deliveries',
    embedding: 'Embedding',
    developers: 'For developers',
    settings: 'Settings',
  },
  page: {
    back: 'All projects',
    gone: 'This project doesn’t exist, or you don’t take part in it',
    owned: (owner) => `Owner: ${owner}`,
  },
}
