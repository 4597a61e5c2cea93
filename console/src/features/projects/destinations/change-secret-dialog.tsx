import { destinations } from '@busbar/contract'
import { useState } from 'react'
import { projectKey } from '../../../entities/project/project-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { Text } from '../../../shared/ui/layout/layout.tsx'
import { useDestinationsText } from './destinations-text.ts'
import { SecretShown } from './secret-shown.tsx'

interface ChangeSecretDialogProps {
  projectId: number
  destination: destinations.Destination
  onClose: () => void
}

/** Changes the secret of a destination, and shows the new one. */
export function ChangeSecretDialog({ projectId, destination, onClose }: ChangeSecretDialogProps) {
  const t = useDestinationsText()
  const [secret, setSecret] = useState<string>()
  const form = useForm({
    initial: {},
    send: () => call(destinations.resetDestinationSecret, { id: destination.targetId }),
    touched: [projectKey(projectId)],
    onSent: (answer) => setSecret(answer.secret),
  })
  if (secret !== undefined) return <SecretShown secret={secret} onClose={onClose} />
  return (
    <FormDialog
      title={`${t.reset} · ${destination.name}`}
      submit={t.resetAction}
      form={form}
      width={440}
      onClose={onClose}
    >
      <Text as="p" pretty>
        {t.resetBody}
      </Text>
    </FormDialog>
  )
}
