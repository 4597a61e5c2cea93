import { agentConfig } from '@busbar/contract'
import { useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { formatMinute, formatNumber, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Box, Panel, Row, Text } from '../../shared/ui/layout/layout.tsx'
import { Tag, type TagTone } from '../../shared/ui/tag.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { useAgentConfigText } from './agent-config-text.ts'
import css from './drivers.module.css'
import { explainReason } from './explain.ts'

const tones: Record<agentConfig.AgentChange['state'], TagTone> = {
  trying: 'accent',
  applied: 'good',
  rolledBack: 'warn',
  unknown: 'plain',
}

interface VersionListProps {
  machineId: number
  config: agentConfig.AgentConfig
  isLocked: boolean
  run<Answer>(work: () => Promise<Answer>): Promise<Answer | undefined>
}

/** The versions with author, time and result. */
export function VersionList({ machineId, config, isLocked, run }: VersionListProps) {
  const t = useAgentConfigText()
  const { app } = useText()
  const [asking, setAsking] = useState<number>()
  const { changes, revision: current } = config

  async function restore(revision: number): Promise<void> {
    setAsking(undefined)
    const wish = { machineId, base: current, revision }
    const answer = await run(() => call(agentConfig.restoreAgentConfig, wish, { noNotice: true }))
    if (answer) showToast(t.versions.sent)
  }

  return (
    <Box as="section" below={24} aria-labelledby="drivers-versions">
      <Row below={8} gap={12} justify="between" className={css.sectionHead}>
        <h2 id="drivers-versions">{t.versions.title}</h2>
      </Row>
      {changes.length === 0 && (
        <Text as="p" tone="quiet" size="12/18" breaks>
          {t.versions.none}
        </Text>
      )}
      <Panel as="ul" className={css.versions}>
        {changes.map((change) => (
          <Row key={change.revision} as="li" pad="10 14" gap="8 12" wraps className={css.version}>
            <div className={css.versionText}>
              <Row as="p" gap={8} weight={500}>
                {t.versions.version(change.revision)}
                <Tag tone={tones[change.state]}>
                  {change.revision === current && change.state === 'applied'
                    ? t.versions.current
                    : t.versions.states[change.state]}
                </Tag>
              </Row>
              <p className={css.minor}>
                {[
                  t.versions.by(change.by),
                  formatMinute(change.at),
                  t.versions.size(formatNumber(change.connectionCount), formatNumber(change.tagCount)),
                  ...(change.restoredFrom === null ? [] : [t.versions.from(change.restoredFrom)]),
                ].join(' · ')}
              </p>
              {change.reason && (
                <Text as="p" tone="warn" size="12/18">
                  {explainReason(change.reason, t.reasons)}
                </Text>
              )}
            </div>
            {change.isKept && change.revision !== current && change.state !== 'trying' && (
              <Button size="small" disabled={isLocked} onClick={() => setAsking(change.revision)}>
                {t.versions.restore}
              </Button>
            )}
          </Row>
        ))}
      </Panel>
      {asking !== undefined && (
        <Dialog
          title={t.versions.confirm(asking)}
          onClose={() => setAsking(undefined)}
          actions={
            <>
              <Button onClick={() => setAsking(undefined)}>{app.cancel}</Button>
              <Button kind="primary" onClick={() => void restore(asking)}>
                {t.versions.restore}
              </Button>
            </>
          }
        >
          <p>{t.versions.confirmBody}</p>
        </Dialog>
      )}
    </Box>
  )
}
