import type { ReactNode } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Grid } from '../../shared/ui/layout/layout.tsx'
import css from './detail-dialog.module.css'

interface DetailDialogProps {
  title: string
  facts: readonly (readonly [title: string, value: ReactNode])[]
  /** Content that does not fit in a row: a message, the details of an act. */
  text?: string | undefined
  onClose: () => void
}

/** A row of a list with all of its fields. */
export function DetailDialog({ title, facts, text, onClose }: DetailDialogProps) {
  const { app } = useText()
  return (
    <Dialog
      title={title}
      width={560}
      onClose={onClose}
      actions={
        <Button autoFocus onClick={onClose}>
          {app.close}
        </Button>
      }
    >
      <Grid as="dl" gap={6}>
        {facts.map(([name, value]) => (
          <div key={name} className={css.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </Grid>
      {text && <p className={css.text}>{text}</p>}
    </Dialog>
  )
}
