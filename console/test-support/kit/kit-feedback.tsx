import { useState } from 'react'
import { Button, IconButton } from '../../src/shared/ui/button.tsx'
import { DatePicker } from '../../src/shared/ui/date/date-picker.tsx'
import { Dialog } from '../../src/shared/ui/dialog.tsx'
import { TextField } from '../../src/shared/ui/field.tsx'
import { Menu, MenuItem } from '../../src/shared/ui/menu/menu.tsx'
import { Select } from '../../src/shared/ui/select/select.tsx'
import { Switch } from '../../src/shared/ui/switch.tsx'
import { showToast } from '../../src/shared/ui/toast/toast-store.ts'
import css from './kit-page.module.css'
import { KitPart } from './kit-part.tsx'
import { t } from './kit-text.ts'

/** Buttons. */
export function KitButtons() {
  return (
    <KitPart name={t.parts.buttons}>
      <Button kind="primary">{t.save}</Button>
      <Button icon="edit">{t.edit}</Button>
      <Button kind="ghost">{t.close}</Button>
      <Button kind="danger">{t.remove}</Button>
      <Button busy>{t.save}</Button>
      <Button disabled>{t.disabled}</Button>
      <Button size="small">{t.small}</Button>
      <Button size="large">{t.large}</Button>
      <IconButton icon="more" label={t.device} />
      <IconButton icon="more" bordered label={t.device} />
    </KitPart>
  )
}

/** Text fields and the switch. */
export function KitFields() {
  const [name, setName] = useState('')
  const [isOn, setOn] = useState(true)
  return (
    <KitPart name={t.parts.fields}>
      <div className={css.field}>
        <TextField label={t.name} value={name} onChange={setName} />
      </div>
      <div className={css.field}>
        <TextField label={t.name} value={name} onChange={setName} error={t.nameEmpty} />
      </div>
      <Switch label={t.alarmSwitch} checked={isOn} onChange={setOn} />
      <Switch label={t.disabled} checked disabled onChange={setOn} />
    </KitPart>
  )
}

/** Tooltips: under the pointer, on focus, at a long press. */
export function KitTips() {
  return (
    <KitPart name={t.parts.tips}>
      <button type="button" data-tip={t.tip}>
        {t.tipButton}
      </button>
      <IconButton icon="info" label={t.details} data-tip-side="right" />
    </KitPart>
  )
}

/** Toasts of each kind. */
export function KitToasts() {
  return (
    <KitPart name={t.parts.toasts}>
      <Button onClick={() => showToast(t.done)}>{t.showDone}</Button>
      <Button onClick={() => showToast(t.failed, 'failure')}>{t.showFailed}</Button>
      <Button onClick={() => showToast(t.info, 'info')}>{t.showInfo}</Button>
      <Button onClick={() => showToast(t.removed, 'done', () => showToast(t.undone))}>{t.showUndo}</Button>
    </KitPart>
  )
}

/** A dialog with floating parts, and with input that could be lost. */
export function KitDialogs() {
  const [isOpen, setOpen] = useState(false)
  return (
    <KitPart name={t.parts.dialogs}>
      <Button onClick={() => setOpen(true)}>{t.open}</Button>
      {isOpen && <SampleDialog onClose={() => setOpen(false)} />}
    </KitPart>
  )
}

function SampleDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [line, setLine] = useState('0')
  const [moment, setMoment] = useState<number | null>(null)
  return (
    <Dialog
      title={t.dialogTitle}
      onClose={onClose}
      actions={
        <>
          <Menu label={t.device} trigger={<IconButton bordered icon="more" label={t.device} />}>
            <MenuItem onAction={() => setName(t.copy)}>{t.copy}</MenuItem>
          </Menu>
          <Button
            onClick={() => {
              showToast(t.done)
            }}
          >
            {t.showDone}
          </Button>
          <Button
            kind="primary"
            onClick={() => {
              showToast(t.done)
              onClose()
            }}
          >
            {t.save}
          </Button>
        </>
      }
    >
      <div className={css.samples}>
        <div className={css.wide}>
          <TextField label={t.name} value={name} onChange={setName} autoFocus />
        </div>
        <Select
          label={t.line}
          className={css.field}
          choices={t.lines.map((label, place) => ({ value: String(place), label }))}
          value={line}
          onChange={setLine}
        />
        <DatePicker className={css.field} label={t.moment} value={moment} onChange={setMoment} />
      </div>
    </Dialog>
  )
}
