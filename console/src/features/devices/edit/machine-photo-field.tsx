import { ApiError, brands } from '@busbar/contract'
import { useMutation } from '@tanstack/react-query'
import type { Machine } from '../../../entities/machine/machine.ts'
import { useMachineTypes } from '../../../entities/machine/machine-icon.tsx'
import { MachinePicture } from '../../../entities/machine/machine-picture.tsx'
import { shrinkPhoto } from '../../../entities/machine/shrink-photo.ts'
import { call } from '../../../shared/api/client.ts'
import { refusalWords } from '../../../shared/api/refusal-words.ts'
import { useLang, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import form from '../../../shared/ui/dialogs/form.module.css'
import { FilePicker } from '../../../shared/ui/file-picker.tsx'
import { Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import css from './machine-photo-field.module.css'

/** The browser cannot draw the chosen file. */
class UnreadablePhoto extends Error {}

interface MachinePhotoFieldProps {
  machine: Machine
  /** Empty: the picture of its type is shown. */
  photo: string
  onChange: (photo: string) => void
}

/** A machine's own picture: uploaded when it is chosen, visible to others after the machine is saved. */
export function MachinePhotoField({ machine, photo, onChange }: MachinePhotoFieldProps) {
  const t = useText().machineEdit.photo
  const lang = useLang()
  const types = useMachineTypes()
  const upload = useMutation({
    mutationFn: async (chosen: File) => {
      const file = await shrinkPhoto(chosen).catch(() => undefined)
      if (!file) throw new UnreadablePhoto()
      return call(brands.createUpload, { purpose: 'projectImage', file }, { noNotice: true })
    },
    onSuccess: ({ url }) => onChange(url),
  })
  function explain(error: unknown): string {
    if (error instanceof UnreadablePhoto) return t.unreadable
    return (error instanceof ApiError && refusalWords(error, lang)) || t.failed
  }
  return (
    <Stack gap={6}>
      <Text tone="soft" size="12/16" weight={500}>
        {t.label}
      </Text>
      <Row gap={14} className={css.line}>
        <MachinePicture look={types.look(machine)} photo={photo} size="page" />
        <Row gap={8} align="stretch" wraps>
          <FilePicker
            label={t.label}
            action={photo ? t.replace : t.choose}
            accept=".png,.jpg,.jpeg,.webp"
            disabled={upload.isPending}
            onChoose={(file) => upload.mutate(file)}
          />
          {photo && (
            <Button kind="ghost" onClick={() => onChange('')}>
              {t.remove}
            </Button>
          )}
        </Row>
      </Row>
      {upload.isError ? (
        <p role="alert" className={form.error}>
          {explain(upload.error)}
        </p>
      ) : (
        <p className={form.hint}>{t.hint}</p>
      )}
    </Stack>
  )
}
