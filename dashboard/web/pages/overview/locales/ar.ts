import type { OverviewWords } from './en.ts'

export const ar: OverviewWords = {
  title: 'نظرة عامة',
  steps: {
    title: 'الخطوات الأولى',
    progress: 'اكتمل {done} من {all}',
    done: 'مكتملة',
    open: 'متبقية',
    dismiss: 'إخفاء',
    video_added: { title: 'أضف فيديو', text: 'الصق رابط ملف فيديو.', link: 'إضافة فيديو' },
    video_ready: {
      title: 'انتظر حتى يصبح جاهزًا',
      text: 'يُنزَّل ويُرمَّز ويُشفَّر. يستغرق ذلك نحو مدة الفيديو.',
      link: 'متابعة التقدم',
    },
    played_elsewhere: {
      title: 'ضمّنه في موقعك',
      text: 'انسخ الرمز من صفحة الفيديو، ثم شغّله في صفحتك.',
      link: 'اختيار فيديو',
    },
    access_restricted: {
      title: 'حدّد من يمكنه المشاهدة',
      text: 'اشترط رموز المشاهدين، أو اسمح لنطاقاتك فقط.',
      link: 'تقييد النطاقات',
    },
    webhook_delivered: {
      title: 'استقبل إشعارات Webhook',
      text: 'يعرف خادمك ما يحدث. تكتمل مع أول تسليم ناجح.',
      link: 'إضافة نقطة استقبال',
    },
    colleague_invited: {
      title: 'ادعُ زميلًا',
      text: 'بصفة مالك أو محرر أو قارئ لهذا الحساب.',
      link: 'دعوة',
    },
  },
  playing: 'قيد التشغيل الآن',
  security: 'أحداث الأمان، آخر {hours} ساعة',
  failed: 'فيديوهات فاشلة، آخر {days} أيام',
  endpoints: 'نقاط استقبال متعثرة',
  calm: 'لا شيء يحتاج إلى انتباهك',
  calmText: 'تظهر هنا الفيديوهات الفاشلة ونقاط الاستقبال المتعثرة والحدود الموشكة على النفاد.',
  failures: 'محاولات فاشلة متتالية: {number}',
  disabled: 'معطلة',
  all: 'عرض الكل',
  plan: 'الخطة',
  nearly: '{limit}: استُخدم {share}',
  planEnded: 'انتهت الخطة: تُرفض الفيديوهات الجديدة.',
  planEnds: 'تنتهي الخطة {time}.',
}
