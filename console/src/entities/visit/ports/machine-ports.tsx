import { visits } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../shared/api/client.ts'
import { formatNumber, joinUnit } from '../../../shared/i18n/format-number.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Box, Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { Tag, type TagTone } from '../../../shared/ui/tag.tsx'
import type { Machine } from '../../machine/machine.ts'
import { PaneFailed } from '../pane-failed.tsx'
import css from '../pane-visits.module.css'
import { ConnectTool } from './connect-tool.tsx'
import type { Port } from './port.ts'
import { usePortsText } from './ports-text.ts'

const tones: Readonly<Record<'change' | 'look' | 'none', TagTone>> = {
  change: 'good',
  look: 'plain',
  none: 'warn',
}

/** The ports of a machine that tools on a person's computer can open. */
export function MachinePorts({ machine }: { machine: Pick<Machine, 'id' | 'code' | 'online'> }) {
  const t = usePortsText()
  const { data, isError, refetch } = useQuery({
    queryKey: ['visits', 'ports', machine.id, machine.online],
    queryFn: ({ signal }) => call(visits.listPorts, { machineId: machine.id }, { signal, silent: true }),
    enabled: machine.online,
  })
  const [open, setOpen] = useState<string>()
  // A machine that is away tells no ports, and most machines have none: then the section would only be in the way.
  if (!machine.online || (data && data.ports.length === 0)) return null
  if (!data) return isError ? <PaneFailed onRetry={() => void refetch()} /> : null
  return (
    <section className={css.section} aria-labelledby="visits-ports">
      <h3 id="visits-ports">{t.title}</h3>
      <Text as="p" tone="quiet" size={12}>
        {t.lead}
      </Text>
      <Box as="ul" above={4}>
        {data.ports.map((port) => (
          <PortRow
            key={port.name}
            port={port}
            code={machine.code}
            isOpen={open === port.name}
            onToggle={() => setOpen(open === port.name ? undefined : port.name)}
          />
        ))}
      </Box>
    </section>
  )
}

interface PortRowProps {
  port: Port
  code: string
  isOpen: boolean
  onToggle: () => void
}

function PortRow({ port, code, isOpen, onToggle }: PortRowProps) {
  const t = usePortsText()
  const label = isOpen ? t.tool.hide : t.connect
  return (
    <li className={css.row}>
      <Stack gap={8} grows className={css.words}>
        <Row gap={12} shrinks>
          <PortFacts port={port} />
          {mayOf(port) !== 'none' && (
            <Button
              size="small"
              aria-expanded={isOpen}
              aria-label={`${label} · ${port.name}`}
              onClick={onToggle}
            >
              {label}
            </Button>
          )}
        </Row>
        {isOpen && <ConnectTool code={code} port={port} />}
      </Stack>
    </li>
  )
}

function PortFacts({ port }: { port: Port }) {
  const t = usePortsText()
  const may = mayOf(port)
  return (
    <Stack gap={2} grows shrinks className={css.words}>
      <Row as="p" gap={8} shrinks wraps leading={18}>
        <Text as="b" mono breaks weight={600}>
          {port.name}
        </Text>
        <span data-tip={t.why[may]}>
          <Tag tone={tones[may]}>{t.may[may]}</Tag>
        </span>
      </Row>
      <p className={css.facts}>
        <span>{t.kinds[port.kind]}</span>
        {port.roundTripMs !== null && (
          <span>{t.roundTrip(joinUnit(formatNumber(Math.round(port.roundTripMs)), 'ms'))}</span>
        )}
        {port.note && <span>{port.note}</span>}
      </p>
    </Stack>
  )
}

function mayOf({ mayChange, mayLook }: Port): 'change' | 'look' | 'none' {
  if (mayChange) return 'change'
  return mayLook ? 'look' : 'none'
}
