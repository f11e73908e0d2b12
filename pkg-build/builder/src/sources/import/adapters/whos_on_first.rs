//! Places of Who's On First: <https://whosonfirst.org/docs/properties/>

use serde_json::{Map, Value};

use super::adapter::{Adapter, Classes, Place};
use crate::sources::rows::Tagged;
use crate::sources::tagged_names::is_language;

pub(super) const ADAPTER: Adapter = Adapter { name: "whosonfirst", is_one, read };

/// ISO 639-1 for codes of ISO 639-3; others stay as they are.
const LANGUAGES: &str = "ara ar,ben bn,bul bg,cat ca,ces cs,dan da,deu de,ell el,eng en,est et,fas fa,fin fi,fra fr,\
    heb he,hin hi,hrv hr,hun hu,hye hy,ind id,ita it,jpn ja,kat ka,kor ko,lav lv,lit lt,msa ms,nld nl,nor no,pol pl,\
    por pt,ron ro,rus ru,slk sk,slv sl,spa es,srp sr,swe sv,tam ta,tha th,tur tr,ukr uk,urd ur,vie vi,zho zh";

fn is_one(feature: &Value) -> bool {
    feature["properties"].get("wof:name").is_some()
}

fn read(feature: &Value, classes: &Classes) -> Option<Place> {
    let properties = &feature["properties"];
    if properties["mz:is_current"] == 0 {
        return None;
    }
    let class = format!("whosonfirst:{}", properties["wof:placetype"].as_str().unwrap_or_default());
    let first = |names: [&str; 2]| names.into_iter().find_map(|name| properties.get(name)).cloned().unwrap_or_default();
    let id = properties.get("wof:id").map_or(Value::Null, |id| id.to_string().into());
    let (names, weak_names) = names(properties);
    Place::new(
        classes.get(&class),
        [
            ("id", id),
            ("name", properties["wof:name"].clone()),
            ("names", names),
            ("country", first(["wof:country", "iso:country"])),
            ("population", first(["wof:population", "gn:population"])),
        ],
        weak_names,
    )
}

/// Reads the preferred names, and the others: `name:fra_x_preferred` is a list in French; others end in `_x_historical`,
/// `_x_colloquial`, `_x_variant` and more.
fn names(properties: &Value) -> (Value, Vec<Tagged>) {
    let mut preferred = Map::new();
    let mut weak = Vec::new();
    for (key, names) in properties.as_object().into_iter().flatten() {
        let Some((code, usage)) = key.strip_prefix("name:").and_then(|key| key.split_once("_x_")) else { continue };
        let short = LANGUAGES.split(',').find_map(|pair| pair.strip_prefix(code)?.strip_prefix(' '));
        let lang = short.unwrap_or(code);
        if !is_language(lang) {
            continue;
        }
        if usage == "preferred" {
            preferred.insert(lang.to_owned(), names.clone());
        } else {
            let texts = names.as_array().into_iter().flatten().filter_map(Value::as_str);
            weak.extend(texts.map(|text| Tagged { lang: lang.to_owned(), text: text.to_owned() }));
        }
    }
    (Value::Object(preferred), weak)
}
