// The texts of <toponym-autocomplete> in other languages than English. It is loaded where one of them is spoken, and by nobody else.
//
// Nobody who speaks these languages has checked the texts yet. Corrections are welcome: one row is one language.

/** What the texts of a row are, in order; the last one is the number of suggestions, by its plural forms. */
const NAMES = ["label", "loading", "failed", "offline", "none", "unlocated", "required", "recent", "clear", "reset", "locate"];

/** By BCP 47 tags. Plural forms are those of CLDR; `#` is the number. */
const TEXTS = {
  ar: ["مكان", "جارٍ تحميل الأماكن", "تعذّر تحميل الأماكن", "أنت غير متصل بالإنترنت", "لم يُعثر على أي مكان", "موقعك غير متاح", "اختر مكانًا من القائمة", "الأماكن الأخيرة", "مسح الأماكن الأخيرة", "مسح", "موقعي الحالي", { zero: "لا اقتراحات", one: "اقتراح واحد", two: "اقتراحان", few: "# اقتراحات", other: "# اقتراحًا" }],
  bg: ["Място", "Местата се зареждат", "Местата не могат да се заредят", "Няма връзка с интернет", "Няма намерено място", "Местоположението ви не е достъпно", "Изберете място от списъка", "Скорошни места", "Изчистване на скорошните места", "Изчистване", "Моето местоположение", { one: "# предложение", other: "# предложения" }],
  ca: ["Lloc", "S'estan carregant els llocs", "No es poden carregar els llocs", "No hi ha connexió", "No s'ha trobat cap lloc", "La vostra posició no està disponible", "Trieu un lloc de la llista", "Llocs recents", "Esborra els llocs recents", "Esborra", "On soc", { one: "# suggeriment", other: "# suggeriments" }],
  cs: ["Místo", "Načítání míst", "Místa nelze načíst", "Jste offline", "Žádné místo nenalezeno", "Vaše poloha není dostupná", "Vyberte místo ze seznamu", "Nedávná místa", "Vymazat nedávná místa", "Vymazat", "Kde jsem", { one: "# návrh", few: "# návrhy", other: "# návrhů" }],
  da: ["Sted", "Indlæser steder", "Steder kan ikke indlæses", "Du er offline", "Intet sted fundet", "Din position er ikke tilgængelig", "Vælg et sted på listen", "Seneste steder", "Ryd seneste steder", "Ryd", "Hvor jeg er", { one: "# forslag", other: "# forslag" }],
  de: ["Ort", "Orte werden geladen", "Orte können nicht geladen werden", "Sie sind offline", "Kein Ort gefunden", "Ihr Standort ist nicht verfügbar", "Wählen Sie einen Ort aus der Liste", "Zuletzt gewählte Orte", "Zuletzt gewählte Orte löschen", "Leeren", "Mein Standort", { one: "# Vorschlag", other: "# Vorschläge" }],
  el: ["Τοποθεσία", "Φόρτωση τοποθεσιών", "Δεν είναι δυνατή η φόρτωση τοποθεσιών", "Είστε εκτός σύνδεσης", "Δεν βρέθηκε τοποθεσία", "Η θέση σας δεν είναι διαθέσιμη", "Επιλέξτε μια τοποθεσία από τη λίστα", "Πρόσφατες τοποθεσίες", "Διαγραφή πρόσφατων τοποθεσιών", "Διαγραφή", "Η θέση μου", { one: "# πρόταση", other: "# προτάσεις" }],
  es: ["Lugar", "Cargando lugares", "No se pueden cargar los lugares", "Sin conexión", "No se encontró ningún lugar", "Su ubicación no está disponible", "Elija un lugar de la lista", "Lugares recientes", "Borrar lugares recientes", "Borrar", "Mi ubicación", { one: "# sugerencia", other: "# sugerencias" }],
  fa: ["مکان", "در حال بارگیری مکان‌ها", "مکان‌ها بارگیری نشدند", "آفلاین هستید", "مکانی پیدا نشد", "موقعیت شما در دسترس نیست", "مکانی را از فهرست انتخاب کنید", "مکان‌های اخیر", "پاک کردن مکان‌های اخیر", "پاک کردن", "مکان من", { other: "# پیشنهاد" }],
  fi: ["Paikka", "Ladataan paikkoja", "Paikkoja ei voi ladata", "Ei verkkoyhteyttä", "Paikkaa ei löytynyt", "Sijaintisi ei ole käytettävissä", "Valitse paikka luettelosta", "Viimeisimmät paikat", "Tyhjennä viimeisimmät paikat", "Tyhjennä", "Sijaintini", { one: "# ehdotus", other: "# ehdotusta" }],
  fr: ["Lieu", "Chargement des lieux", "Impossible de charger les lieux", "Vous êtes hors ligne", "Aucun lieu trouvé", "Votre position n'est pas disponible", "Choisissez un lieu dans la liste", "Lieux récents", "Effacer les lieux récents", "Effacer", "Ma position", { one: "# suggestion", other: "# suggestions" }],
  he: ["מקום", "המקומות נטענים", "לא ניתן לטעון את המקומות", "אין חיבור לאינטרנט", "לא נמצא מקום", "המיקום שלך אינו זמין", "יש לבחור מקום מהרשימה", "מקומות אחרונים", "ניקוי המקומות האחרונים", "ניקוי", "המיקום שלי", { one: "הצעה אחת", two: "שתי הצעות", other: "# הצעות" }],
  hi: ["स्थान", "स्थान लोड हो रहे हैं", "स्थान लोड नहीं हो सके", "आप ऑफ़लाइन हैं", "कोई स्थान नहीं मिला", "आपका स्थान उपलब्ध नहीं है", "सूची से कोई स्थान चुनें", "हाल के स्थान", "हाल के स्थान हटाएँ", "हटाएँ", "मेरा स्थान", { one: "# सुझाव", other: "# सुझाव" }],
  hr: ["Mjesto", "Učitavanje mjesta", "Mjesta se ne mogu učitati", "Niste na mreži", "Nije pronađeno nijedno mjesto", "Vaša lokacija nije dostupna", "Odaberite mjesto s popisa", "Nedavna mjesta", "Izbriši nedavna mjesta", "Izbriši", "Moja lokacija", { one: "# prijedlog", few: "# prijedloga", other: "# prijedloga" }],
  hu: ["Hely", "Helyek betöltése", "A helyek nem tölthetők be", "Nincs internetkapcsolat", "Nincs találat", "Az Ön helyzete nem érhető el", "Válasszon helyet a listából", "Legutóbbi helyek", "Legutóbbi helyek törlése", "Törlés", "Jelenlegi helyem", { one: "# javaslat", other: "# javaslat" }],
  id: ["Tempat", "Memuat tempat", "Tempat tidak dapat dimuat", "Anda sedang offline", "Tempat tidak ditemukan", "Lokasi Anda tidak tersedia", "Pilih tempat dari daftar", "Tempat terbaru", "Hapus tempat terbaru", "Hapus", "Lokasi saya", { other: "# saran" }],
  it: ["Luogo", "Caricamento dei luoghi", "Impossibile caricare i luoghi", "Sei offline", "Nessun luogo trovato", "La tua posizione non è disponibile", "Scegli un luogo dall'elenco", "Luoghi recenti", "Cancella i luoghi recenti", "Cancella", "La mia posizione", { one: "# suggerimento", other: "# suggerimenti" }],
  ja: ["場所", "場所を読み込んでいます", "場所を読み込めません", "オフラインです", "場所が見つかりません", "現在地を取得できません", "リストから場所を選択してください", "最近の場所", "最近の場所を消去", "消去", "現在地", { other: "候補 # 件" }],
  ko: ["장소", "장소를 불러오는 중", "장소를 불러올 수 없습니다", "오프라인 상태입니다", "장소를 찾을 수 없습니다", "현재 위치를 사용할 수 없습니다", "목록에서 장소를 선택하세요", "최근 장소", "최근 장소 지우기", "지우기", "내 위치", { other: "추천 #개" }],
  nb: ["Sted", "Laster inn steder", "Stedene kan ikke lastes inn", "Du er frakoblet", "Fant ingen steder", "Posisjonen din er ikke tilgjengelig", "Velg et sted fra listen", "Nylige steder", "Fjern nylige steder", "Tøm", "Der jeg er", { one: "# forslag", other: "# forslag" }],
  nl: ["Plaats", "Plaatsen worden geladen", "Plaatsen kunnen niet worden geladen", "U bent offline", "Geen plaats gevonden", "Uw locatie is niet beschikbaar", "Kies een plaats uit de lijst", "Recente plaatsen", "Recente plaatsen wissen", "Wissen", "Mijn locatie", { one: "# suggestie", other: "# suggesties" }],
  pl: ["Miejsce", "Wczytywanie miejsc", "Nie można wczytać miejsc", "Brak połączenia z internetem", "Nie znaleziono miejsca", "Twoja lokalizacja jest niedostępna", "Wybierz miejsce z listy", "Ostatnie miejsca", "Wyczyść ostatnie miejsca", "Wyczyść", "Moja lokalizacja", { one: "# propozycja", few: "# propozycje", many: "# propozycji", other: "# propozycji" }],
  pt: ["Lugar", "Carregando lugares", "Não foi possível carregar os lugares", "Sem conexão", "Nenhum lugar encontrado", "Sua localização não está disponível", "Escolha um lugar da lista", "Lugares recentes", "Limpar lugares recentes", "Limpar", "Minha localização", { one: "# sugestão", other: "# sugestões" }],
  ro: ["Loc", "Se încarcă locurile", "Locurile nu pot fi încărcate", "Sunteți offline", "Niciun loc găsit", "Poziția dvs. nu este disponibilă", "Alegeți un loc din listă", "Locuri recente", "Ștergeți locurile recente", "Ștergeți", "Poziția mea", { one: "# sugestie", few: "# sugestii", other: "# de sugestii" }],
  ru: ["Место", "Загрузка мест", "Не удалось загрузить места", "Нет подключения к интернету", "Место не найдено", "Ваше местоположение недоступно", "Выберите место из списка", "Недавние места", "Очистить недавние места", "Очистить", "Моё местоположение", { one: "# вариант", few: "# варианта", many: "# вариантов", other: "# варианта" }],
  sk: ["Miesto", "Načítavajú sa miesta", "Miesta sa nedajú načítať", "Ste offline", "Nenašlo sa žiadne miesto", "Vaša poloha nie je dostupná", "Vyberte miesto zo zoznamu", "Nedávne miesta", "Vymazať nedávne miesta", "Vymazať", "Kde som", { one: "# návrh", few: "# návrhy", other: "# návrhov" }],
  sv: ["Plats", "Läser in platser", "Platserna kan inte läsas in", "Du är offline", "Ingen plats hittades", "Din position är inte tillgänglig", "Välj en plats i listan", "Senaste platser", "Rensa senaste platser", "Rensa", "Min position", { one: "# förslag", other: "# förslag" }],
  th: ["สถานที่", "กำลังโหลดสถานที่", "โหลดสถานที่ไม่ได้", "คุณออฟไลน์อยู่", "ไม่พบสถานที่", "ไม่ทราบตำแหน่งของคุณ", "เลือกสถานที่จากรายการ", "สถานที่ล่าสุด", "ล้างสถานที่ล่าสุด", "ล้าง", "ตำแหน่งของฉัน", { other: "# คำแนะนำ" }],
  tr: ["Yer", "Yerler yükleniyor", "Yerler yüklenemiyor", "Çevrimdışısınız", "Yer bulunamadı", "Konumunuz kullanılamıyor", "Listeden bir yer seçin", "Son yerler", "Son yerleri temizle", "Temizle", "Konumum", { one: "# öneri", other: "# öneri" }],
  uk: ["Місце", "Завантаження місць", "Не вдалося завантажити місця", "Немає з'єднання з інтернетом", "Місце не знайдено", "Ваше місцезнаходження недоступне", "Виберіть місце зі списку", "Нещодавні місця", "Очистити нещодавні місця", "Очистити", "Моє місцезнаходження", { one: "# варіант", few: "# варіанти", many: "# варіантів", other: "# варіанта" }],
  vi: ["Địa điểm", "Đang tải địa điểm", "Không thể tải địa điểm", "Bạn đang ngoại tuyến", "Không tìm thấy địa điểm", "Không có vị trí của bạn", "Chọn một địa điểm trong danh sách", "Địa điểm gần đây", "Xóa địa điểm gần đây", "Xóa", "Vị trí của tôi", { other: "# gợi ý" }],
  zh: ["地点", "正在加载地点", "无法加载地点", "您已离线", "未找到地点", "无法获取您的位置", "请从列表中选择地点", "最近的地点", "清除最近的地点", "清除", "我的位置", { other: "# 条建议" }],
  "zh-Hant": ["地點", "正在載入地點", "無法載入地點", "您已離線", "找不到地點", "無法取得您的位置", "請從清單中選擇地點", "最近的地點", "清除最近的地點", "清除", "我的位置", { other: "# 項建議" }],
};

/** Other tags of these languages. */
const SAME = { no: "nb", nn: "nb", iw: "he", in: "id" };

/** The languages that the element speaks, besides English. */
export const LANGUAGES = Object.keys(TEXTS);

/** Returns the texts for the first of some BCP 47 tags whose language is known; undefined if that is English, or none is. */
export function messagesFor(tags) {
  for (const tag of tags) {
    const language = languageOf(tag);
    if (language === "en") return undefined;
    if (Object.hasOwn(TEXTS, language)) return messagesIn(language);
  }
  return undefined;
}

/** Returns the language of a tag as this file calls it: Chinese as it is written in Taiwan and Hong Kong is another one. */
function languageOf(tag) {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return script === "Hant" ? `${language}-${script}` : (SAME[language] ?? language);
  } catch {
    // Pages may say anything.
    return undefined;
  }
}

function messagesIn(language) {
  const texts = TEXTS[language];
  const forms = texts.at(-1);
  const plural = new Intl.PluralRules(language);
  const count = (number) => (forms[plural.select(number)] ?? forms.other).replace("#", number.toLocaleString(language));
  return { ...Object.fromEntries(NAMES.map((name, at) => [name, texts[at]])), count };
}
