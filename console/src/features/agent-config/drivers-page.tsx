import { ApiError } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { agentConfigQuery } from '../../entities/machine/agent-config-queries.ts'
import { openAgentLog } from '../../entities/machine/device-dialog.ts'
import { isHeld } from '../../entities/machine/machine.ts'
import { machineDetailQuery } from '../../entities/machine/machine-queries.ts'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row, Text } from '../../shared/ui/layout/layout.tsx'
import { LanguageButton, ThemeButton } from '../../shared/ui/preference-switches.tsx'
import { ShapeWait } from '../../shared/ui/shape-wait.tsx'
import frame from '../../shared/ui/side-page.module.css'
import { SkipLink } from '../../shared/ui/skip-link.tsx'
import { useAgentConfigText } from './agent-config-text.ts'
import css from './drivers.module.css'
import { DriversEditor } from './drivers-editor.tsx'

/** The connections and variables that a device's agent reads, set up from here. */
export function DriversPage(): ReactNode {
  const { machineId } = useSearch({ from: '/bare/drivers' })
  const t = useAgentConfigText()
  return (
    <div className={frame.page}>
      <SkipLink />
      <header className={frame.head}>
        <Link
          to="/index/"
          search={machineId === undefined ? {} : { machine: machineId }}
          className={frame.back}
          aria-label={t.back}
          data-tip={t.back}
        >
          <Icon name="chevronLeft" size={18} />
        </Link>
        <Row as="h1" gap={8} align="baseline" grows size="16/22">
          {machineId !== undefined && <MachineName machineId={machineId} />}
          <Text fixed tone="quiet" size={13} weight={400}>
            {t.kind}
          </Text>
        </Row>
        <Row gap={2} fixed>
          {machineId !== undefined && <LogButton machineId={machineId} />}
          <LanguageButton />
          <ThemeButton />
        </Row>
      </header>
      <main id="content" className={frame.main} tabIndex={-1}>
        <div className={css.column}>
          {/* Another device is another page: nothing of the former stays. */}
          {machineId !== undefined && <DriversOf key={machineId} machineId={machineId} />}
        </div>
      </main>
    </div>
  )
}

function MachineName({ machineId }: { machineId: number }) {
  const { data } = useQuery(machineDetailQuery(machineId, useLang()))
  return (
    <span className="cut" title={data?.name}>
      {data?.name}
    </span>
  )
}

function LogButton({ machineId }: { machineId: number }) {
  const { agentLog } = useText().machineEdit.menu
  const { data } = useQuery(machineDetailQuery(machineId, useLang()))
  return (
    <IconButton
      icon="list"
      label={agentLog}
      onClick={() => openAgentLog({ id: machineId, name: data?.name ?? '' })}
    />
  )
}

function DriversOf({ machineId }: { machineId: number }) {
  const t = useAgentConfigText()
  const { data, error, isFetching, refetch } = useQuery(agentConfigQuery(machineId))
  const detail = useQuery(machineDetailQuery(machineId, useLang())).data
  const isAway = error instanceof ApiError && error.is('AGENT_AWAY')
  // The agent may be away for a moment during a trial, so the page keeps its content.
  if (data?.isAllowed) {
    const isReadOnly = isHeld(detail) && detail.readOnly
    return <DriversEditor machineId={machineId} config={data} isReadOnly={isReadOnly} />
  }
  if (data) return <EmptyState icon="lock" title={t.off.title} hint={t.off.hint} />
  if (!error) return <ShapeWait shape="detail" />
  return (
    <EmptyState
      icon={isAway ? 'offline' : 'warning'}
      title={isAway ? t.away.title : t.load.failed}
      hint={isAway ? t.away.hint : undefined}
    >
      <Button icon="refresh" busy={isFetching} onClick={() => void refetch()}>
        {t.load.retry}
      </Button>
    </EmptyState>
  )
}
