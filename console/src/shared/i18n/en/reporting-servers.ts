import type { reportingServersText as cn } from '../cn/reporting-servers.ts'

export const reportingServersText: typeof cn = {
  title: 'Reporting servers',
  lead: 'Other addresses at which systems of projects sign in to the platform by MQTT, as an entrance of a plant’s network or of another region. Their connections are encrypted, and owners of projects choose among them.',
  columns: { name: 'Name', address: 'Address' },
  own: 'The platform itself',
  add: 'Add reporting server',
  host: 'Host name',
  hostWrong: 'Enter the host name or the IP address alone',
  port: 'Port (encrypted)',
  portWrong: 'Enter a port from 1 to 65535',
  remove: 'Remove',
  confirmRemove: (name) => `Remove “${name}”?`,
  confirmRemoveBody:
    'Projects that chose it go back to the address of the platform. Programs that are connected stay so.',
  empty: 'No reporting servers yet',
}
