import { projects } from '@busbar/contract'
import { useState } from 'react'
import { useProof } from '../../../entities/account/use-proof.tsx'
import { projectKey } from '../../../entities/project/project-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { copyText } from '../../../shared/ui/copy-text.ts'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import css from '../../../shared/ui/dialogs/form.module.css'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { Note, Text } from '../../../shared/ui/layout/layout.tsx'
import { ToggleGroup } from '../../../shared/ui/toggle-group/toggle-group.tsx'
import { useDetailText } from './detail-text.ts'

/** Makes a new key; the former one is valid for a day more, or ends at once. */
export function ChangeKeyDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const { app } = useText()
  const t = useDetailText().settings
  const { proved, dialog } = useProof()
  const [key, setKey] = useState<string>()
  const form = useForm<{ readonly end: 'overlap' | 'now' }>({
    initial: { end: 'overlap' },
    send: ({ end }) => proved(() => call(projects.resetProjectKey, { id, endNow: end === 'now' })),
    touched: [projectKey(id)],
    onSent: (answer) => setKey((answer as { secret_key: string } | undefined)?.secret_key),
  })
  const { end } = form.values
  if (key !== undefined)
    return (
      <Dialog
        title={t.keyChanged}
        width={480}
        onClose={onClose}
        actions={
          <>
            <Button icon="copy" onClick={() => void copyText(key)}>
              {t.copy}
            </Button>
            <Button kind="primary" onClick={onClose}>
              {app.close}
            </Button>
          </>
        }
      >
        <code className={css.secret}>{key}</code>
      </Dialog>
    )
  return (
    <>
      {/* Beside it: a form within a form would be sent with it. */}
      <FormDialog
        title={t.keyChangeTitle}
        submit={t.keyChange}
        danger={end === 'now'}
        width={480}
        form={form}
        onClose={onClose}
      >
        <Text as="p" pretty>
          {t.keyChangeBody}
        </Text>
        <div>
          <ToggleGroup
            label={t.keyFormer}
            value={end}
            onChange={(value) => form.set('end', value)}
            options={[
              { value: 'overlap', label: t.keyOverlap },
              { value: 'now', label: t.keyNowEnds },
            ]}
          />
        </div>
        <Note>{end === 'now' ? t.keyNowEndsHint : t.keyOverlapHint}</Note>
      </FormDialog>
      {dialog}
    </>
  )
}
