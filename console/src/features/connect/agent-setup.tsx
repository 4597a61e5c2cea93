import { type AnswerOf, onboarding } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useProof } from '../../entities/account/use-proof.tsx'
import { useSecondsUntil } from '../../entities/account/use-seconds.ts'
import { call } from '../../shared/api/client.ts'
import { formatLasts } from '../../shared/i18n/time-span.ts'
import { toAddress } from '../../shared/session/address.ts'
import { Button } from '../../shared/ui/button.tsx'
import { CopyLine } from '../../shared/ui/copy-line.tsx'
import { TextField } from '../../shared/ui/field.tsx'
import { Note, Panel, Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { Tabs } from '../../shared/ui/tabs/tabs.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import css from './connect.module.css'
import { setupQuery } from './connect-queries.ts'
import { useConnectText } from './connect-text.ts'
import { installLine, parseNetworks } from './install-line.ts'
import { keepMade, useMade } from './made.ts'

interface AgentSetupProps {
  machineId: number
  link: AnswerOf<typeof onboarding.getSetup>['link']
}

const secondMs = 1_000

/** The line to run beside the PLC, for each system. */
export function AgentSetup({ machineId, link }: AgentSetupProps) {
  const t = useConnectText().agent
  const [system, setSystem] = useState<onboarding.SetupSystem>('linux')
  const [networks, setNetworks] = useState('')
  const made = useMade(machineId)?.link
  const leftMs = useSecondsUntil(made?.expireAt ?? 0) * secondMs
  const { renew, isRenewing, dialog } = useRenewal(machineId)
  const isRunning = made !== undefined && made !== null && leftMs > 0
  const isTaken = link !== null && link.acknowledgedAt !== null
  const isShown = isRunning && !isTaken

  return (
    <Panel aria-label={t.title} className={css.panel} data-subject="">
      <h2>{t.title}</h2>
      <Tabs
        label={t.system}
        tabs={onboarding.setupSystems.map((id) => ({ id, label: t.systems[id] }))}
        chosen={system}
        onChoose={setSystem}
        panelClassName={css.tab}
      >
        <Stack gap={12}>
          <Text as="p" tone="soft" pretty>
            {t.where[system]}
          </Text>
          {system !== 'windows' && isShown && (
            <div>
              <TextField
                label={t.networks}
                placeholder="192.168.0.0/24"
                autoComplete="off"
                spellCheck={false}
                value={networks}
                onChange={setNetworks}
                error={parseNetworks(networks) ? undefined : t.networksForm}
              />
              <Note above={6}>{t.networksHint}</Note>
            </div>
          )}
          {isShown && <CopyLine label={t.line} text={installLine(system, made.setupUrl, networks)} />}
          <Row gap="8 12" wraps role="status">
            <Text tone="soft" numbers>
              {isTaken ? t.taken : isRunning ? t.left(formatLasts(leftMs)) : made ? t.over : t.hidden}
            </Text>
            {!isShown && (
              <Button kind={isTaken ? 'default' : 'primary'} icon="refresh" busy={isRenewing} onClick={renew}>
                {t.again}
              </Button>
            )}
          </Row>
          <ul className={css.points}>
            {t.points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
          <a href={toAddress('/download/')} target="_blank" rel="noopener" className={css.way}>
            {t.programs}
          </a>
        </Stack>
      </Tabs>
      {dialog}
    </Panel>
  )
}

/** Makes another link: the one before is over, or was forgotten by a reload. */
function useRenewal(machineId: number) {
  const t = useConnectText().agent
  const client = useQueryClient()
  const { proved, dialog } = useProof()
  const { mutate, isPending } = useMutation({
    mutationFn: () => proved(() => call(onboarding.createSetupLink, { machineId })),
    onSuccess: (link) => link && keepMade({ machineId, link }),
    onError: () => showToast(t.againFailed, 'failure'),
    onSettled: () => client.invalidateQueries({ queryKey: setupQuery(machineId).queryKey }),
  })
  return { renew: () => mutate(), isRenewing: isPending, dialog }
}
