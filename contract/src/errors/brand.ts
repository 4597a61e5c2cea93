import { refusals } from './error-kind.ts'

/** Brands, machine types and pictures. */
export const brandErrors = {
  ...refusals({
    PICTURE_INVALID: {
      cn: '图片无法使用：请上传 SVG、PNG、JPEG 或 WebP，边长不超过 4096 像素',
      en: 'This picture can’t be used. Upload an SVG, PNG, JPEG or WebP of up to 4096 pixels per side.',
    },
    PICTURE_KIND: { cn: '此处只能用照片类图片：PNG、JPEG 或 WebP', en: 'Upload a PNG, JPEG or WebP' },
    MACHINE_TYPE_TAKEN: {
      cn: '已有使用此标识的设备类型',
      en: 'Another device type already has this identifier',
    },
    MACHINE_TYPES_FULL: {
      cn: '设备类型已达上限（200 个）',
      en: 'The limit of 200 device types is reached',
    },
    UPLOADS_FULL: {
      cn: '您上传的图片已达上限（200 张）',
      en: 'You’ve reached the limit of 200 uploaded pictures',
    },
    BRAND_HOST_TAKEN: { cn: '该域名已属于另一个品牌', en: 'Another brand already uses this host' },
    BRAND_IS_DEFAULT: {
      cn: '默认品牌不能归档，请先把另一个品牌设为默认',
      en: 'The default brand can’t be archived. Make another brand the default first.',
    },
    BRAND_IS_ARCHIVED: {
      cn: '已归档的品牌不能设为默认，请先恢复',
      en: 'An archived brand can’t be the default. Restore it first.',
    },
    ACCENT_UNREADABLE: {
      cn: '该主色与背景的对比度不足 4.5:1，请换一种颜色',
      en: 'The contrast of this accent colour is below 4.5:1. Choose another colour.',
    },
    VISIT_DOMAIN_UNFIT: {
      cn: '设备页面域名与控制台域名必须是不同的注册域名，且互不包含',
      en: 'The domain of device pages and the console host must be on different registrable domains, neither within the other',
    },
    PICTURE_UNKNOWN: { cn: '图片不存在，请重新上传', en: 'Picture not found. Upload it again.' },
  }),
}
