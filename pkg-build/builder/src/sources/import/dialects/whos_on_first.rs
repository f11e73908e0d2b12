//! Places of Who's On First: <https://whosonfirst.org/docs/properties/>

use serde_json::{Map, Value};

use super::dialect::{Classes, Dialect, place};
use crate::sources::tagged_names::is_language;

/// ISO 639-1 for codes of ISO 639-3; others stay as they are.
const LANGUAGES: &str = "ara ar,ben bn,bul bg,cat ca,ces cs,dan da,deu de,ell el,eng en,est et,fas fa,fin fi,fra fr,\
    heb he,hin hi,hrv hr,hun hu,hye hy,ind id,ita it,jpn ja,kat ka,kor ko,lav lv,lit lt,msa ms,nld nl,nor no,pol pl,\
    por pt,ron ro,rus ru,slk sk,slv sl,spa es,srp sr,swe sv,tam ta,tha th,tur tr,ukr uk,urd ur,vie vi,zho zh";

/// The place with these properties.
pub(super) fn read(properties: &Value, classes: &Classes) -> Option<Dialect> {
    let name = properties.get("wof:name")?;
    if properties["mz:is_current"] == 0 {
        return Some(Dialect::Skipped);
    }
    let class = format!("whosonfirst:{}", properties["wof:placetype"].as_str().unwrap_or_default());
    let first = |names: [&str; 2]| names.into_iter().find_map(|name| properties.get(name)).cloned().unwrap_or_default();
    let id = properties.get("wof:id").map_or(Value::Null, |id| id.to_string().into());
    Some(place(
        classes.get(&class),
        [
            ("id", id),
            ("name", name.clone()),
            ("names", names(properties)),
            ("country", first(["wof:country", "iso:country"])),
            ("population", first(["wof:population", "gn:population"])),
        ],
    ))
}

/// The preferred names: `name:fra_x_preferred` is a list in French.
fn names(properties: &Value) -> Value {
    let all = properties.as_object().into_iter().flatten();
    let preferred = all.filter_map(|(key, names)| {
        let code = key.strip_prefix("name:")?.strip_suffix("_x_preferred")?;
        let short = LANGUAGES.split(',').find_map(|pair| pair.strip_prefix(code)?.strip_prefix(' '));
        let lang = short.unwrap_or(code);
        is_language(lang).then(|| (lang.to_owned(), names.clone()))
    });
    Value::Object(preferred.collect::<Map<_, _>>())
}
