import type { onboarding } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { openCheck } from '../../entities/machine/device-dialog.ts'
import { machineDetailQuery, rawMessagesQuery } from '../../entities/machine/machine-queries.ts'
import { RawMessages } from '../../entities/machine/raw/raw-messages.tsx'
import { useLang } from '../../shared/i18n/language.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Panel, Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { useFromNow } from '../../shared/ui/use-now.ts'
import css from './connect.module.css'
import { useConnectText } from './connect-text.ts'
import { useToList } from './use-to-list.ts'

interface ArrivalProps {
  machineId: number
  eid: number | undefined
  kind: onboarding.OnboardingKind
  isConnected: boolean
}

const lateMs = 60_000
const watchMs = 3_000

/** The end of the way: waits for the machine, shows its first messages, and leads on. */
export function Arrival({ machineId, eid, kind, isConnected }: ArrivalProps) {
  const t = useConnectText().arrival
  const toList = useToList(eid)
  const navigate = useNavigate()
  const isAgent = kind === 'agent'
  // Machines that post by HTTP keep no connection: their first message is the sign.
  const { data: messages = [] } = useQuery({
    ...rawMessagesQuery(machineId),
    enabled: !isAgent,
    refetchInterval: watchMs,
  })
  const isHere = isConnected || messages.length > 0
  const openDevice = <Button onClick={() => toList(machineId)}>{t.device}</Button>
  const another = () =>
    void navigate({ to: '/connect', search: eid === undefined ? {} : { eid }, replace: true })

  if (!isHere) return <Waiting machineId={machineId} kind={kind} openDevice={openDevice} />
  const said = isAgent ? t.connectedAgent : messages.length > 0 ? t.connectedValues : t.connectedSilent
  return (
    <Panel aria-label={t.title} className={css.panel} data-subject="">
      <Row gap={10} align="start" role="status">
        <span className={css.done}>
          <Icon name="check" size={18} />
        </span>
        <Stack gap={2}>
          <h2>{t.connected}</h2>
          <Text tone="soft" pretty>
            {said}
          </Text>
        </Stack>
      </Row>
      <Row above={14} gap={8} wraps>
        {isAgent ? (
          <>
            <Button kind="primary" onClick={() => void navigate({ to: '/drivers', search: { machineId } })}>
              {t.drivers}
            </Button>
            {openDevice}
          </>
        ) : (
          <Button kind="primary" onClick={() => toList(machineId)}>
            {t.device}
          </Button>
        )}
        <Button kind="ghost" onClick={another}>
          {t.another}
        </Button>
      </Row>
      {messages.length > 0 && (
        <div className={css.messages}>
          <RawMessages machineId={machineId} textEncoding="utf8" />
        </div>
      )}
    </Panel>
  )
}

function Waiting({
  machineId,
  kind,
  openDevice,
}: Pick<ArrivalProps, 'machineId' | 'kind'> & { openDevice: ReactNode }) {
  const t = useConnectText().arrival
  const lang = useLang()
  const [since] = useState(Date.now)
  const isLate = useFromNow(1_000, (now) => now - since >= lateMs)
  const { data: machine } = useQuery({ ...machineDetailQuery(machineId, lang), enabled: isLate })
  return (
    <Panel aria-label={t.title} className={css.panel} data-subject="">
      <Row gap={10} role="status">
        <span className={css.spinner} />
        <Stack gap={2}>
          <Text weight={600}>{t.waiting}</Text>
          <Text tone="quiet" size="12/16">
            {t.waitingHint}
          </Text>
        </Stack>
      </Row>
      {isLate && (
        <Stack above={14} gap={8} align="start">
          <Text weight={600}>{t.late}</Text>
          <Text tone="soft" pretty>
            {t.lateHint[kind]}
          </Text>
          <Row gap={8} wraps>
            <Button icon="search" disabled={!machine} onClick={() => machine && openCheck(machine)}>
              {t.check}
            </Button>
            {openDevice}
          </Row>
        </Stack>
      )}
    </Panel>
  )
}
