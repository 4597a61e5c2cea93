import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useAlarmMachines } from '../../../entities/machine/alarm-machines.ts'
import { useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { ComboBox } from '../../../shared/ui/combo-box/combo-box.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Note, Panel, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { ShapeWait } from '../../../shared/ui/shape-wait.tsx'
import { type EscalationOf, escalationQuery } from '../contact-queries.ts'
import css from './escalation.module.css'
import { EscalationForm } from './escalation-form.tsx'

const ofEnterprise = 'enterprise'

/** Further people, notified step by step until someone reacts: for one machine, or for all of an enterprise. */
export function EscalationPart({ space }: { space: PageSpace }): ReactNode {
  const t = useText().notifications.escalation
  const { eid } = space.asked
  const devices = useAlarmMachines(space.asked.eid)
  const [wished, choose] = useState<string>()
  const chosen = wished ?? (eid === undefined ? String(devices[0]?.id ?? '') : ofEnterprise)
  const of: EscalationOf | undefined =
    chosen === ofEnterprise && eid !== undefined
      ? { eid }
      : Number(chosen) > 0
        ? { machineId: Number(chosen) }
        : undefined
  return (
    <Stack gap={12}>
      <Text as="p" tone="soft" pretty>
        {t.lead}
      </Text>
      <ComboBox
        label={t.of}
        className={css.of}
        placeholder={t.pick}
        choices={[
          ...(eid === undefined ? [] : [{ value: ofEnterprise, label: t.enterprise }]),
          ...devices.map(({ id, name, code }) => ({ value: String(id), label: name, hint: code })),
        ]}
        chosen={chosen === '' ? [] : [chosen]}
        onChoose={([next]) => next !== undefined && choose(next)}
      />
      <div className={css.columns}>
        {of ? (
          <Escalation key={chosen} of={of} space={space} />
        ) : (
          <Panel as="div" pad="12 16" shrinks>
            <EmptyState icon="devices" title={t.pick} hint={t.pickHint} />
          </Panel>
        )}
        <Panel as="aside" pad="12 16" shrinks aria-label={t.stopsTitle}>
          <Text as="h2" size="14/20">
            {t.stopsTitle}
          </Text>
          <ul className={css.stops}>
            {t.stops.map((stop) => (
              <li key={stop}>{stop}</li>
            ))}
          </ul>
          <Note leading={18}>{t.stopsHint}</Note>
        </Panel>
      </div>
    </Stack>
  )
}

function Escalation({ of, space }: { of: EscalationOf; space: PageSpace }) {
  const text = useText()
  const t = text.notifications
  const { data, isError, isFetching, refetch } = useQuery(escalationQuery(of))
  if (data)
    return (
      <EscalationForm of={of} space={space} steps={data.steps} isOwn={data.isOwn} isLocked={!data.maySet} />
    )
  if (!isError) return <ShapeWait shape="form" />
  return (
    <Panel as="div" pad="12 16" shrinks>
      <EmptyState icon="warning" title={t.failed} hint={t.failedHint}>
        <Button icon="refresh" busy={isFetching} onClick={() => void refetch()}>
          {text.app.retry}
        </Button>
      </EmptyState>
    </Panel>
  )
}
