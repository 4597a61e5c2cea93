import { operator, tileKinds, tileLimits, tileSystems } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { useLang } from '../../shared/i18n/index.ts'
import { TextField } from '../../shared/ui/field.tsx'
import { SelectField } from '../../shared/ui/fields/choice-fields.tsx'
import { PasswordField } from '../../shared/ui/fields/password-field.tsx'
import { TextArea } from '../../shared/ui/fields/text-area.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { Switch } from '../../shared/ui/switch.tsx'
import form from './form.module.css'
import { everyBrandQuery, everyTileSourceQuery, operatorKey } from './operator-queries.ts'
import css from './tile-source-form.module.css'
import { faultText, useTileSourcesText } from './tile-source-text.ts'

type Source = operator.TileSourceRow

type Draft = Pick<
  Source,
  'brandId' | 'kind' | 'url' | 'system' | 'attribution' | 'reviewNumber' | 'isCached'
> & {
  readonly cn: string
  readonly en: string
  readonly key: string
  readonly minZoom: string
  readonly maxZoom: string
}

const freshSource: Draft = {
  brandId: 1,
  cn: '',
  en: '',
  kind: 'xyz',
  url: '',
  key: '',
  system: 'wgs84',
  minZoom: '0',
  maxZoom: '18',
  attribution: '',
  reviewNumber: '',
  isCached: false,
}

/** Adds or changes a map source; of a saved one a tile is shown. */
export function TileSourceForm({ row, onClose }: { row: Source | undefined; onClose: () => void }) {
  const t = useTileSourcesText()
  const lang = useLang()
  const { data: brands } = useQuery(everyBrandQuery)
  const files = useQuery(everyTileSourceQuery).data?.files ?? []
  const input = useForm<Draft>({
    route: row ? operator.updateTileSource : operator.createTileSource,
    initial: row ? draftOf(row) : freshSource,
    names: { cn: 'name.cn', en: 'name.en' },
    check: ({ minZoom, maxZoom }) => ({
      minZoom: isZoom(minZoom) ? undefined : t.zoomWrong,
      maxZoom: !isZoom(maxZoom) ? t.zoomWrong : Number(maxZoom) < Number(minZoom) ? t.zoomsWrong : undefined,
    }),
    send: async (draft) => {
      const fields = fieldsOf(draft, row?.hasKey ?? false)
      if (row) await call(operator.updateTileSource, { ...fields, id: row.id })
      else await call(operator.createTileSource, fields)
    },
    errorFields: { TILE_ADDRESS: 'url', TILE_FILE: 'url' },
    done: t.saved,
    touched: [operatorKey],
    onSent: onClose,
  })
  const { values, set } = input
  const isFile = values.kind === 'pmtiles'
  const names = [...new Set([...files, ...(isFile && values.url ? [values.url] : [])])]
  return (
    <FormDialog
      title={row ? t.change(row.name[lang]) : t.create}
      width={620}
      submit={t.save}
      form={input}
      onClose={onClose}
    >
      <Preview row={row} />
      <div className={form.pair}>
        <TextField label={t.nameCn} autoFocus {...input.text('cn')} />
        <TextField label={t.nameEn} {...input.text('en')} />
      </div>
      <div className={form.pair}>
        <SelectField
          label={t.brand}
          value={values.brandId}
          options={(brands?.list ?? []).map(({ id, platformName }) => ({
            value: id,
            label: platformName[lang],
          }))}
          onChange={(brandId) => set('brandId', brandId)}
        />
        <SelectField
          label={t.kind}
          value={values.kind}
          options={tileKinds.map((value) => ({ value, label: t.kinds[value] }))}
          onChange={(kind) => set('kind', kind)}
        />
      </div>
      {isFile ? (
        <SelectField
          label={t.file}
          name="url"
          value={values.url}
          options={names.map((value) => ({ value, label: value }))}
          onChange={(file) => set('url', file)}
          error={input.text('url').error}
          hint={names.length === 0 && t.noFiles}
        />
      ) : (
        <>
          <TextArea
            label={t.url}
            className="mono"
            rows={2}
            spellCheck={false}
            maxLength={tileLimits.urlMax}
            {...input.text('url')}
            hint={<p className={form.hint}>{t.urlHint}</p>}
          />
          {values.url.includes('{key}') && (
            <Stack gap={6}>
              <PasswordField
                label={t.key}
                autoComplete="off"
                placeholder={row?.hasKey ? t.keyKept : ''}
                {...input.text('key')}
              />
              <p className={form.hint}>{t.keyHint}</p>
            </Stack>
          )}
        </>
      )}
      <SelectField
        label={t.system}
        value={values.system}
        options={tileSystems.map((value) => ({ value, label: t.systems[value] }))}
        onChange={(system) => set('system', system)}
        hint={t.systemHint}
      />
      <div className={form.pair}>
        <TextField label={t.minZoom} inputMode="numeric" {...input.text('minZoom')} />
        <TextField label={t.maxZoom} inputMode="numeric" {...input.text('maxZoom')} />
      </div>
      <div className={form.pair}>
        <TextField label={t.attribution} {...input.text('attribution')} />
        <Stack gap={6} shrinks>
          <TextField label={t.reviewNumber} {...input.text('reviewNumber')} />
          <p className={form.hint}>{t.reviewHint}</p>
        </Stack>
      </div>
      {!isFile && (
        <Stack gap={6}>
          <Row gap={10} align="center">
            <Switch
              label={t.isCached}
              checked={values.isCached}
              onChange={(isCached) => set('isCached', isCached)}
            />
            <span aria-hidden="true">{t.isCached}</span>
          </Row>
          <p className={form.hint}>{t.isCachedHint}</p>
        </Stack>
      )}
    </FormDialog>
  )
}

/** Where Beijing is on the map of a zoom: column and row. */
const beijing = { x: 0.8233, y: 0.3789 }

function Preview({ row }: { row: Source | undefined }) {
  const t = useTileSourcesText()
  if (!row) return <p className={form.hint}>{t.previewLater}</p>
  const zoom = Math.min(Math.max(row.minZoom, 8), row.maxZoom)
  const at = [zoom, ...[beijing.x, beijing.y].map((part) => Math.floor(part * 2 ** zoom))].join('/')
  const fault = faultText(row, t)
  return (
    <Row gap={12} align="center">
      <img
        className={css.preview}
        src={`/api/operator/v1/tile-sources/${row.id}/${at}?v=${row.version}`}
        alt={t.preview}
        width={128}
        height={128}
      />
      <Stack gap={4} shrinks>
        <Text tone="quiet" size={12}>
          {t.previewOf(zoom)}
        </Text>
        {fault !== undefined && <Text tone="warn">{fault}</Text>}
      </Stack>
    </Row>
  )
}

function draftOf({ name, minZoom, maxZoom, ...row }: Source): Draft {
  const { brandId, kind, url, system, attribution, reviewNumber, isCached } = row
  return {
    ...{ brandId, kind, url, system, attribution, reviewNumber, isCached },
    ...name,
    key: '',
    minZoom: String(minZoom),
    maxZoom: String(maxZoom),
  }
}

/** A key that is not typed again is kept, as long as the address has a place for it. */
function fieldsOf({ cn, en, key, minZoom, maxZoom, ...draft }: Draft, hasKey: boolean) {
  const isKept = key === '' && hasKey && draft.url.includes('{key}')
  return {
    ...draft,
    name: { cn, en },
    ...(isKept ? {} : { key: draft.url.includes('{key}') ? key : '' }),
    minZoom: Number(minZoom),
    maxZoom: Number(maxZoom),
  }
}

const isZoom = (text: string): boolean => /^\d{1,2}$/.test(text) && Number(text) <= tileLimits.zoomMax
