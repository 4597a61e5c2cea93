import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Project } from '../../../entities/project/project.ts'
import { projectKeysQuery } from '../../../entities/project/project-queries.ts'
import { emptyMark, formatMinute } from '../../../shared/i18n/index.ts'
import { Button, IconButton } from '../../../shared/ui/button.tsx'
import { CopyCode } from '../../../shared/ui/copy-code.tsx'
import { copyText } from '../../../shared/ui/copy-text.ts'
import { RelativeTime } from '../../../shared/ui/data/relative-time.tsx'
import { SettingPanel, SettingRow } from '../../../shared/ui/fields/setting-row.tsx'
import { Row, Text } from '../../../shared/ui/layout/layout.tsx'
import { ChangeKeyDialog } from './change-key-dialog.tsx'
import { useDetailText } from './detail-text.ts'

const hidden = '•'.repeat(16)

/** The key by which a project’s system signs in, and when and from where each valid one was used. */
export function KeyPanel({ project }: { project: Project }) {
  const t = useDetailText().settings
  const { data: keys = [] } = useQuery(projectKeysQuery(project.id))
  const [isShown, setShown] = useState(false)
  const [isChanging, setChanging] = useState(false)
  const key = project.key
  return (
    <SettingPanel title={t.key}>
      <SettingRow name={t.keyId} hint={t.keyHint}>
        <CopyCode code={String(project.id)} />
      </SettingRow>
      <SettingRow
        name={t.keyNow}
        hint={key ? undefined : t.keyLost}
        value={
          key && (
            <>
              <Text mono breaks>
                {isShown ? key : hidden}
              </Text>
              <IconButton
                icon={isShown ? 'eyeOff' : 'eye'}
                size="small"
                label={isShown ? t.hide : t.show}
                onClick={() => setShown(!isShown)}
              />
              <IconButton icon="copy" size="small" label={t.copy} onClick={() => void copyText(key)} />
            </>
          )
        }
      >
        <Button onClick={() => setChanging(true)}>{t.keyChange}</Button>
      </SettingRow>
      {keys.map(({ createdAt, endsAt, lastUsedAt, lastUsedFrom }) => (
        <Row key={createdAt} line="top" pad="10 16" gap="4 16" wraps tone="soft">
          <Text weight={500}>{endsAt === null ? t.keyNow : t.keyFormer}</Text>
          <Text numbers>{t.keySince(formatMinute(createdAt))}</Text>
          <span>
            {lastUsedAt === null ? (
              t.keyUnused
            ) : (
              <>
                {t.keyUsed(lastUsedFrom || emptyMark)} <RelativeTime at={lastUsedAt} />
              </>
            )}
          </span>
          {endsAt !== null && (
            <Text tone="warn" numbers>
              {t.keyEnds(formatMinute(endsAt))}
            </Text>
          )}
        </Row>
      ))}
      {isChanging && <ChangeKeyDialog id={project.id} onClose={() => setChanging(false)} />}
    </SettingPanel>
  )
}
