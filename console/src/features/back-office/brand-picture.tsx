import { brands } from '@busbar/contract'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { Button } from '../../shared/ui/button.tsx'
import { FilePicker } from '../../shared/ui/file-picker.tsx'
import { refusalText } from '../../shared/ui/use-act.ts'
import css from './brand-form.module.css'
import form from './form.module.css'
import { useOperatorText } from './operator-text.ts'

interface BrandPictureProps {
  label: string
  /** Empty: the console's own. */
  url: string
  onChange: (url: string) => void
}

/** One picture of a brand: uploaded immediately, used when the brand is saved. */
export function BrandPicture({ label, url, onChange }: BrandPictureProps) {
  const all = useOperatorText()
  const t = all.brandForm
  const upload = useMutation({
    mutationFn: (file: File) => call(brands.createUpload, { purpose: 'brand', file }, { noNotice: true }),
    onSuccess: (answer) => onChange(answer.url),
  })
  return (
    <div className={form.field}>
      <span className={form.label}>{label}</span>
      <div className={css.picture}>
        {url ? <img src={url} alt="" /> : <span className={css.noPicture}>{t.none}</span>}
        <FilePicker
          label={label}
          action={t.choose}
          accept=".svg,.png,.jpg,.jpeg,.webp"
          disabled={upload.isPending}
          onChoose={(file) => upload.mutate(file)}
        />
        {url && (
          <Button kind="ghost" onClick={() => onChange('')}>
            {t.remove}
            <span className="sr-only">{label}</span>
          </Button>
        )}
      </div>
      {upload.isError && (
        <p role="alert" className={form.wrong}>
          {refusalText(upload.error, all.refusedByPlatform) ?? all.refusedByPlatform}
        </p>
      )}
    </div>
  )
}
