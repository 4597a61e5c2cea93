import {
  brands,
  findBrokenRule,
  findSharedCode,
  limits,
  operator,
  readCodePattern,
  rulesOf,
} from '@busbar/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { MachineIconBox } from '../../entities/machine/machine-icon.tsx'
import { MachinePicture } from '../../entities/machine/machine-picture.tsx'
import { iconsQuery } from '../../entities/machine/machine-queries.ts'
import { shrinkPhoto } from '../../entities/machine/shrink-photo.ts'
import { call } from '../../shared/api/client.ts'
import { useLang } from '../../shared/i18n/index.ts'
import { TextField } from '../../shared/ui/field.tsx'
import { TextArea } from '../../shared/ui/fields/text-area.tsx'
import { FilePicker } from '../../shared/ui/file-picker.tsx'
import { FormDialog, FormRefusal } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { Box, Row, Stack } from '../../shared/ui/layout/layout.tsx'
import { refusalText } from '../../shared/ui/use-act.ts'
import form from './form.module.css'
import css from './machine-types-section.module.css'
import { everyMachineTypeQuery, operatorKey } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'

type TypeRow = operator.MachineTypeRow

type TypeInput = Pick<TypeRow, 'type' | 'pattern' | 'picture'> & {
  readonly cn: string
  readonly en: string
  readonly place: string
}

const freshType: TypeInput = { cn: '', en: '', type: '', pattern: '', picture: 'machine', place: '1' }

/**
 * Adds or changes a machine type; shows its picture, and the types with the same codes, while the person
 * types.
 */
export function MachineTypeForm({ row, onClose }: { row: TypeRow | undefined; onClose: () => void }) {
  const all = useOperatorText()
  const t = all.machineTypes
  const lang = useLang()
  const pictureGroup = useId()
  const { data: every } = useQuery(everyMachineTypeQuery)
  const input = useForm<TypeInput>({
    route: row ? operator.updateMachineType : operator.createMachineType,
    initial: row ? inputOf(row) : freshType,
    names: { cn: 'name.cn', en: 'name.en' },
    check: (typed) => {
      const typedPattern = readCodePattern(typed.pattern)
      return {
        pattern: 'wrong' in typedPattern ? t.patternWrong(typedPattern.wrong) : undefined,
        place: isPlace(typed.place) ? undefined : t.placeWrong,
      }
    },
    send: async ({ cn, en, type, pattern, picture, place }) => {
      const fields = { name: { cn, en }, type, pattern, picture, place: Number(place) }
      if (row) await call(operator.updateMachineType, { ...fields, id: row.id })
      else await call(operator.createMachineType, fields)
    },
    errorFields: { MACHINE_TYPE_TAKEN: 'type' },
    done: t.saved,
    touched: [operatorKey, iconsQuery.queryKey],
    onSent: onClose,
  })
  const { cn, en, type, pattern, picture, place } = input.values

  const read = readCodePattern(pattern)
  const others = every?.list.filter((each) => each.id !== row?.id) ?? []
  const shared = others.flatMap((each, index) => {
    const theirs = readCodePattern(each.pattern)
    const code = 'wrong' in read || 'wrong' in theirs ? undefined : findSharedCode(read, theirs)
    return code === undefined ? [] : [{ name: each.name[lang], code, isFirst: index < Number(place) - 1 }]
  })
  const builtIn = every?.builtIn ?? []
  const look = picture.startsWith('/uploads/')
    ? { image: picture, icon: '' }
    : builtIn.find((each) => each.picture === picture)

  const upload = useMutation({
    mutationFn: async (chosen: File) =>
      call(
        brands.createUpload,
        // A file that the browser cannot draw is sent to the platform, whose answer names the reason.
        { purpose: 'machineType', file: await shrinkPhoto(chosen).catch(() => chosen) },
        { noNotice: true },
      ),
    onSuccess: ({ url }) => input.set('picture', url),
  })

  return (
    <FormDialog
      title={row ? t.change(row.name[lang]) : t.create}
      width={620}
      submit={t.save}
      form={input}
      onClose={onClose}
    >
      <div className={css.preview} role="img" aria-label={t.preview}>
        <MachinePicture look={look} size="pane" />
        <Box grows>
          <b className="cut">{(lang === 'cn' ? cn : en) || '—'}</b>
          <p className={`${form.hint} mono`}>{type || '—'}</p>
        </Box>
        <MachineIconBox look={look} />
      </div>
      <div className={form.pair}>
        <TextField label={t.nameCn} autoFocus {...input.text('cn')} />
        <TextField label={t.nameEn} {...input.text('en')} />
      </div>
      <div className={form.pair}>
        <Stack gap={6} shrinks>
          <TextField label={t.type} spellCheck={false} {...input.text('type')} />
          <p className={form.hint}>{t.typeHint}</p>
        </Stack>
        <TextField label={t.place} inputMode="numeric" {...input.text('place')} />
      </div>
      <TextArea
        label={t.pattern}
        className="mono"
        rows={2}
        spellCheck={false}
        maxLength={limits.codePatternCharactersMax}
        {...input.text('pattern')}
        hint={
          <>
            {shared.map(({ name, code, isFirst }) => (
              <p key={name} className={form.hint}>
                {(isFirst ? t.loses : t.takes)(name, code)}
              </p>
            ))}
            <p className={form.hint}>{t.patternHint}</p>
          </>
        }
      />
      <fieldset className={css.pictures}>
        <legend className={form.label}>{t.picture}</legend>
        <div className={css.choices}>
          {builtIn.map((each, index) => (
            <label key={each.picture} className={css.choice}>
              <input
                type="radio"
                className="sr-only"
                name={pictureGroup}
                aria-label={t.builtIn(index + 1)}
                checked={picture === each.picture}
                onChange={() => input.set('picture', each.picture)}
              />
              <MachinePicture look={each} size="card" />
            </label>
          ))}
        </div>
      </fieldset>
      <Row gap={10}>
        <FilePicker
          label={t.uploaded}
          action={t.upload}
          accept=".png,.jpg,.jpeg,.webp"
          disabled={upload.isPending}
          onChoose={(file) => upload.mutate(file)}
        />
        <span className={form.hint}>{t.uploadHint}</span>
      </Row>
      <FormRefusal
        text={
          upload.error
            ? (refusalText(upload.error, all.refusedByPlatform) ?? all.refusedByPlatform)
            : undefined
        }
      />
    </FormDialog>
  )
}

function inputOf({ name: { cn, en }, type, pattern, picture, place }: TypeRow): TypeInput {
  return { cn, en, type, pattern, picture, place: String(place) }
}

function isPlace(text: string): boolean {
  const rules = rulesOf(operator.createMachineType).place
  return /^\d+$/.test(text) && (!rules || findBrokenRule(rules, Number(text)) === undefined)
}
