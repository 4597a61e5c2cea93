import { brands, findSharedCode, limits, operator, readCodePattern } from '@busbar/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { MachineIconBox } from '../../entities/machine/machine-icon.tsx'
import { MachinePicture } from '../../entities/machine/machine-picture.tsx'
import { iconsQuery } from '../../entities/machine/machine-queries.ts'
import { shrinkPhoto } from '../../entities/machine/shrink-photo.ts'
import { call } from '../../shared/api/client.ts'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { TextField } from '../../shared/ui/field.tsx'
import { FilePicker } from '../../shared/ui/file-picker.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { explain } from './act-dialog.tsx'
import form from './form.module.css'
import css from './machine-types-section.module.css'
import { everyMachineTypeQuery, operatorKey } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'

type Row = operator.MachineTypeRow

/** Adds or changes a machine type; shows its picture, and the types that share its codes, while the person types. */
export function MachineTypeForm({ row, onClose }: { row: Row | undefined; onClose: () => void }) {
  const all = useOperatorText()
  const t = all.machineTypes
  const { app } = useText()
  const lang = useLang()
  const queries = useQueryClient()
  const id = useId()
  const { data: every } = useQuery(everyMachineTypeQuery)
  const [cn, setCn] = useState(row?.name.cn ?? '')
  const [en, setEn] = useState(row?.name.en ?? '')
  const [type, setType] = useState(row?.type ?? '')
  const [pattern, setPattern] = useState(row?.pattern ?? '')
  const [picture, setPicture] = useState<Row['picture']>(row?.picture ?? 'machine')
  const [place, setPlace] = useState(row ? String(row.place) : '1')
  const [isChecked, setChecked] = useState(false)

  const read = readCodePattern(pattern)
  const wrong = 'wrong' in read ? read.wrong : undefined
  const placeNumber = Number(place)
  const isPlace = /^[0-9]+$/.test(place) && placeNumber >= 1 && placeNumber <= limits.machineTypesMax
  const others = every?.list.filter((each) => each.id !== row?.id) ?? []
  const shared = others.flatMap((each, index) => {
    const theirs = readCodePattern(each.pattern)
    const code = 'wrong' in read || 'wrong' in theirs ? undefined : findSharedCode(read, theirs)
    return code === undefined ? [] : [{ name: each.name[lang], code, isFirst: index < placeNumber - 1 }]
  })
  const builtIn = every?.builtIn ?? []
  const look = picture.startsWith('/uploads/')
    ? { image: picture, icon: '' }
    : builtIn.find((each) => each.picture === picture)

  const upload = useMutation({
    mutationFn: async (chosen: File) =>
      call(
        brands.createUpload,
        // A file that the browser cannot draw goes to the platform, whose answer names the reason.
        { purpose: 'machineType', file: await shrinkPhoto(chosen).catch(() => chosen) },
        { noNotice: true },
      ),
    onSuccess: ({ url }) => setPicture(url),
  })
  const save = useMutation({
    mutationFn: async () => {
      const fields = { name: { cn, en }, type, pattern, picture, place: placeNumber }
      if (row) await call(operator.updateMachineType, { ...fields, id: row.id }, { noNotice: true })
      else await call(operator.createMachineType, fields, { noNotice: true })
    },
    onSuccess: () => {
      showToast(t.saved)
      onClose()
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: operatorKey }),
        queries.invalidateQueries({ queryKey: iconsQuery.queryKey }),
      ]),
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    setChecked(true)
    if (cn.trim() && en.trim() && type.trim() && wrong === undefined && isPlace) save.mutate()
  }
  const missing = (text: string) => (isChecked && text.trim() === '' ? t.missing : undefined)
  const refusal = upload.error ?? save.error

  return (
    <Dialog
      title={row ? t.change(row.name[lang]) : t.create}
      width={620}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button kind="primary" type="submit" form={id} busy={save.isPending}>
            {t.save}
          </Button>
        </>
      }
    >
      <form id={id} className={form.form} noValidate onSubmit={submit}>
        <div className={css.preview} role="img" aria-label={t.preview}>
          <MachinePicture look={look} size="pane" />
          <div className={css.words}>
            <b className="cut">{(lang === 'cn' ? cn : en) || '—'}</b>
            <p className={`${form.hint} mono`}>{type || '—'}</p>
          </div>
          <MachineIconBox look={look} />
        </div>
        <div className={form.pair}>
          <TextField label={t.nameCn} autoFocus value={cn} error={missing(cn)} onChange={setCn} />
          <TextField label={t.nameEn} value={en} error={missing(en)} onChange={setEn} />
        </div>
        <div className={form.pair}>
          <div className={form.field}>
            <TextField
              label={t.type}
              spellCheck={false}
              value={type}
              error={missing(type)}
              onChange={setType}
            />
            <p className={form.hint}>{t.typeHint}</p>
          </div>
          <TextField
            label={t.place}
            inputMode="numeric"
            value={place}
            error={isChecked && !isPlace ? t.placeWrong : undefined}
            onChange={setPlace}
          />
        </div>
        <div className={form.field}>
          <label className={form.label} htmlFor={`${id}-pattern`}>
            {t.pattern}
          </label>
          <textarea
            id={`${id}-pattern`}
            className={`${form.area} mono`}
            rows={2}
            spellCheck={false}
            maxLength={limits.codePatternCharactersMax}
            value={pattern}
            aria-invalid={isChecked && wrong !== undefined ? true : undefined}
            aria-describedby={`${id}-hint`}
            onChange={(event) => setPattern(event.target.value)}
          />
          <div id={`${id}-hint`} aria-live="polite">
            {wrong !== undefined && isChecked && <p className={form.wrong}>{t.patternWrong(wrong)}</p>}
            {shared.map(({ name, code, isFirst }) => (
              <p key={name} className={form.hint}>
                {(isFirst ? t.loses : t.takes)(name, code)}
              </p>
            ))}
            <p className={form.hint}>{t.patternHint}</p>
          </div>
        </div>
        <fieldset className={css.pictures}>
          <legend className={form.label}>{t.picture}</legend>
          <div className={css.choices}>
            {builtIn.map((each, index) => (
              <label key={each.picture} className={css.choice}>
                <input
                  type="radio"
                  className="sr-only"
                  name={`${id}-picture`}
                  aria-label={t.builtIn(index + 1)}
                  checked={picture === each.picture}
                  onChange={() => setPicture(each.picture)}
                />
                <MachinePicture look={each} size="card" />
              </label>
            ))}
          </div>
        </fieldset>
        <div className={css.upload}>
          <FilePicker
            label={t.uploaded}
            action={t.upload}
            accept=".png,.jpg,.jpeg,.webp"
            disabled={upload.isPending}
            onChoose={(file) => upload.mutate(file)}
          />
          <span className={form.hint}>{t.uploadHint}</span>
        </div>
        {refusal && (
          <p role="alert" className={form.failed}>
            {explain(refusal, lang) ?? all.refusedByPlatform}
          </p>
        )}
      </form>
    </Dialog>
  )
}
