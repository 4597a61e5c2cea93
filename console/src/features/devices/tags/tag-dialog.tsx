import { tagLimits, tagSettings, tagTypes, type telemetry } from '@busbar/contract'
import { useLiveValue } from '../../../entities/machine/live-values.ts'
import { machineTagsKey } from '../../../entities/machine/machine-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { TagValueText } from '../../../shared/ui/data/tag-value-text.tsx'
import form from '../../../shared/ui/dialogs/form.module.css'
import { TextField } from '../../../shared/ui/field.tsx'
import { TextArea } from '../../../shared/ui/fields/text-area.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { Select } from '../../../shared/ui/select/select.tsx'
import { Switch } from '../../../shared/ui/switch.tsx'
import { formatRange } from '../writes/set-point-value.ts'
import { MeterChanges } from './meter-changes.tsx'
import {
  changeOf,
  checkDraft,
  draftOf,
  emptyDraft,
  hasField,
  isTypeFree,
  ownOf,
  previewOf,
  type TagDraft,
  typedTag,
} from './tag-draft.ts'
import css from './tags.module.css'
import { useTagsText } from './tags-text.ts'

interface TagDialogProps {
  machineId: number
  tag: telemetry.Tag
  onClose: () => void
}

type Draft = { -readonly [Field in keyof TagDraft]: TagDraft[Field] }

/** Edits a variable's names and limits, each field beside the device's own word, with a preview of its value. */
export function TagDialog({ machineId, tag, onClose }: TagDialogProps) {
  const { visits } = useText()
  const t = useTagsText()
  const own = ownOf(tag)
  const live = useLiveValue(tag.tagId)
  const draft = useForm<Draft>({
    initial: draftOf(tag),
    check: (values) => checkDraft(tag, values, t.problems),
    send: (values) =>
      call(tagSettings.setTag, { machineId, tagId: tag.tagId, ...changeOf(tag, values, t.problems) }),
    errorFields: {
      TAG_LIMITS_DEVICE: 'min',
      TAG_LIMITS_ORDER: 'min',
      TAG_VALUES_TYPE: 'texts',
      TAG_TYPE_DEVICE: 'readAs',
      enum: 'texts',
    },
    explain: (error) => (error.is('TAG_LIMITS_DEVICE') ? error.message : undefined),
    done: t.saved,
    touched: [machineTagsKey(machineId)],
    onSent: onClose,
  })
  const { values } = draft
  const typed = typedTag(tag, values)
  const shown = previewOf(tag, values, t.problems)
  const ownRange = formatRange({ ...tag, ...own }, visits.setPoint)
  const isSet = Object.entries(values).some(([field, value]) => value !== emptyDraft[field as keyof TagDraft])
  const scales = Array.from({ length: 7 }, (_, digits) => String(digits))
  if (values.scale !== '' && !scales.includes(values.scale)) scales.push(values.scale)
  return (
    <FormDialog
      title={t.title}
      submit={t.save}
      form={draft}
      onClose={onClose}
      below={
        (tag.type === 'float64' || tag.type === 'int64') && <MeterChanges machineId={machineId} tag={tag} />
      }
      note={
        isSet && (
          <Button
            icon="history"
            onClick={() => {
              for (const [field, value] of Object.entries(emptyDraft)) draft.set(field as keyof Draft, value)
            }}
          >
            {t.reset}
          </Button>
        )
      }
    >
      <Row as="section" surface="well" pad="12 14" gap={16} justify="between" aria-label={t.preview}>
        <Stack as="span" shrinks weight={500}>
          <span className="cut">{shown.name}</span>
          <Text tone="quiet" size={12} weight={400} cut>
            {[tag.group, tag.tag].filter(Boolean).join(' / ')}
          </Text>
        </Stack>
        <TagValueText
          value={live?.value}
          tag={shown}
          quality={live?.quality ?? 'stale'}
          className={css.value}
        />
      </Row>
      <div className={css.pair}>
        <TextField label={t.name} placeholder={own.name} autoFocus {...draft.text('name')} />
        <div>
          <TextField label={t.unit} placeholder={own.unit} {...draft.text('unit')} />
          {own.unit && <p className={form.hint}>{t.unitHint}</p>}
        </div>
      </div>
      {isTypeFree(tag) && (
        <div>
          <Select
            label={t.type}
            choices={[
              { value: '', label: t.typeOwn },
              ...tagTypes.map((type) => ({ value: type, label: t.types[type] })),
            ]}
            {...draft.field('readAs')}
          />
          <p className={form.hint}>{t.typeHint}</p>
        </div>
      )}
      {hasField(typed, 'scale') && (
        <Select
          label={t.digits}
          choices={[
            { value: '', label: t.digitsOwn(own.scale === null ? '' : formatNumber(own.scale)) },
            ...scales.map((digits) => ({ value: digits, label: digits })),
          ]}
          {...draft.field('scale')}
        />
      )}
      {hasField(typed, 'limits') && (
        <div>
          <div className={css.pair}>
            <TextField
              label={t.min}
              inputMode="decimal"
              placeholder={own.min === null ? '' : String(own.min)}
              {...draft.text('min')}
            />
            <TextField
              label={t.max}
              inputMode="decimal"
              placeholder={own.max === null ? '' : String(own.max)}
              {...draft.text('max')}
            />
          </div>
          <p className={form.hint}>{ownRange ? t.limitsHint(ownRange) : t.limitsFree}</p>
        </div>
      )}
      {typed.type === 'bool' && (
        <div className={css.pair}>
          <TextField label={t.on} placeholder={own.enum?.true ?? ''} {...draft.text('on')} />
          <TextField label={t.off} placeholder={own.enum?.false ?? ''} {...draft.text('off')} />
        </div>
      )}
      {hasField(typed, 'texts') && typed.type !== 'bool' && (
        <TextArea
          label={t.texts}
          rows={3}
          maxLength={tagLimits.tagValueTextsMax * 64}
          hint={<p className={form.hint}>{t.textsHint}</p>}
          {...draft.text('texts')}
        />
      )}
      {tag.openable && (
        <Row gap={16} align="start" justify="between">
          <div>
            <p className={css.openName}>{t.writable}</p>
            <p className={form.hint}>{t.writableHint}</p>
          </div>
          <Switch
            label={t.writable}
            checked={values.writable}
            onChange={(writable) => draft.set('writable', writable)}
          />
        </Row>
      )}
    </FormDialog>
  )
}
