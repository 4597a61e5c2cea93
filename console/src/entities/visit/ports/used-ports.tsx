import type { visits } from '@busbar/contract'
import { formatBytes } from '../../../shared/i18n/index.ts'
import { Text } from '../../../shared/ui/layout/layout.tsx'
import { usePortsText } from './ports-text.ts'

/** The ports that a visit used, with the bytes and requests that passed at each. */
export function UsedPorts({ ports }: { ports: visits.Visit['ports'] }) {
  const t = usePortsText()
  return (
    <>
      {ports.map(({ name, streams, bytesIn, bytesOut, reads, writes, refused }) => (
        <Text key={name} as="p" tone="quiet" size={12} numbers breaks>
          <span className="mono">{name}</span>
          {' · '}
          {[
            t.used(streams, formatBytes(bytesOut), formatBytes(bytesIn)),
            reads + writes > 0 && t.counted(reads, writes),
            refused > 0 && t.refused(refused),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      ))}
    </>
  )
}
