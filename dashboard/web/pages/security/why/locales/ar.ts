import { ar as causes } from '../causes/ar.ts'
import { textsOf } from '../causes/cause-texts.ts'
import type { WhyWords } from './en.ts'

export const ar: WhyWords = {
  title: 'لماذا تعذّر التشغيل؟',
  intro: 'كل صفحة أو رسالة تمنع تشغيل فيديو تعرض رمزًا. اطلب من المشاهد قراءته.',
  code: 'الرمز',
  codeHint: 'ثلاث مجموعات من أربعة أحرف. لا أهمية للأحرف الكبيرة والشرطات.',
  submit: 'بحث',
  invalid: 'أحد الأحرف خاطئ أو ناقص. اطلب من المشاهد قراءة الرمز مرة أخرى.',
  emptyTitle: 'لا يوجد رمز بعد',
  emptyText: 'بالرمز ترى متى حدث ذلك، وعلى أي موقع، وفي أي متصفح، والخطوة التالية.',
  next: 'الخطوة التالية',
  facts: 'ما هو معروف',
  unstored:
    'لا يوجد تقرير محفوظ بهذا الرمز: فهو أقدم من 30 يومًا، أو واحد من تقارير كثيرة في الوقت نفسه. هذا ما يقوله الرمز وحده.',
  cause: 'السبب',
  time: 'الوقت',
  video: 'الفيديو',
  deletedVideo: 'محذوف',
  viewer: 'المشاهد',
  site: 'الموقع',
  browser: 'المتصفح',
  position: 'الموضع',
  errorCode: 'خطأ المشغّل',
  httpStatus: 'حالة HTTP',
  settings: {
    domains: 'فتح النطاقات',
    viewer_tokens: 'فتح العلامة المائية وسر التوقيع',
    protection: 'فتح الحماية',
    viewers: 'فتح المشاهدين الموقوفين',
    security_events: 'فتح أحداث الأمان',
    quick_start: 'فتح البداية السريعة',
    embed: 'فتح رمز التضمين',
    video: 'فتح الفيديو',
  },
  causes: textsOf(causes),
}
