//! What a method is asked: a plain object.

use js_sys::{Array, Object};
use toponym_engine::geo::{Bounds, Coordinate};
use toponym_engine::{Fact, FactSet, Filter};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

use crate::errors::invalid;
use crate::value::MAX_SAFE;

#[wasm_bindgen]
extern "C" {
    /// A plain object, of which each method reads the fields that it knows. The package has checked the types of their values;
    /// one of another type is as if it were missing. A `Deserialize` of its own would be some 15 kB of code, and reading fields by
    /// names that cross over with each question takes three times as long.
    pub type Arguments;

    #[wasm_bindgen(method, getter, js_name = text)]
    fn get_text(this: &Arguments) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = name)]
    fn get_name(this: &Arguments) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = city)]
    fn get_city(this: &Arguments) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = county)]
    fn get_county(this: &Arguments) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = state)]
    fn get_state(this: &Arguments) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = country)]
    fn get_country(this: &Arguments) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = lang)]
    fn get_lang(this: &Arguments) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = "ref")]
    fn get_ref(this: &Arguments) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = id)]
    fn get_id(this: &Arguments) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = lat)]
    fn get_lat(this: &Arguments) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = lon)]
    fn get_lon(this: &Arguments) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = limit)]
    fn get_limit(this: &Arguments) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = radius)]
    fn get_radius(this: &Arguments) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = within)]
    fn get_within(this: &Arguments) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = focus)]
    fn get_focus(this: &Arguments) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = fields)]
    fn get_fields(this: &Arguments) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = countries)]
    fn get_countries(this: &Arguments) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = types)]
    fn get_types(this: &Arguments) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = bbox)]
    fn get_bbox(this: &Arguments) -> JsValue;
}

impl Arguments {
    /// Those of a value; none if it is no object.
    pub fn of(value: JsValue) -> Self {
        let object = if value.is_object() { value } else { Object::new().into() };
        object.unchecked_into()
    }

    pub fn text(&self) -> Option<String> {
        self.get_text().as_string()
    }

    /// Name, city, county, state and country.
    pub fn parts(&self) -> [Option<String>; 5] {
        [self.get_name(), self.get_city(), self.get_county(), self.get_state(), self.get_country()]
            .map(|field| field.as_string())
    }

    pub fn lang(&self) -> Option<String> {
        self.get_lang().as_string()
    }

    pub fn code(&self) -> Option<String> {
        self.get_ref().as_string()
    }

    pub fn id(&self) -> Option<u64> {
        whole(&self.get_id())
    }

    pub fn limit(&self) -> Option<f64> {
        self.get_limit().as_f64()
    }

    pub fn radius(&self) -> Option<f64> {
        self.get_radius().as_f64()
    }

    pub fn types(&self) -> Vec<String> {
        texts(&self.get_types())
    }

    /// Whether it asks for a point, good or not.
    pub fn is_point(&self) -> bool {
        !self.get_lat().is_undefined()
    }

    pub fn coordinate(&self) -> Option<Coordinate> {
        Coordinate::new(self.get_lat().as_f64()?, self.get_lon().as_f64()?)
    }

    pub fn focus_point(&self) -> Result<Option<Coordinate>, JsValue> {
        let focus = self.get_focus();
        if focus.is_undefined() {
            return Ok(None);
        }
        let point = Self::of(focus).coordinate();
        point.map(Some).ok_or_else(|| invalid("focus.lat must be between -90 and 90, focus.lon between -180 and 180"))
    }

    /// The facts that `fields` names: an array, or the text `all`.
    pub fn facts(&self) -> Result<FactSet, JsValue> {
        let fields = self.get_fields();
        let names = fields.as_string().map_or_else(|| texts(&fields), |all| vec![all]);
        if names.is_empty() {
            return Ok(FactSet::default());
        }
        names.join(",").parse().map_err(|_| {
            let known = Fact::ALL.map(Fact::name).join(", ");
            invalid(&format!("fields must be \"all\", or an array of some of these: {known}"))
        })
    }

    pub fn limit_within(&self, default: usize, most: usize) -> Result<usize, JsValue> {
        let limit = self.limit().unwrap_or(default as f64);
        let is_good = limit.fract() == 0.0 && (1.0..=most as f64).contains(&limit);
        if is_good {
            Ok(limit as usize)
        } else {
            Err(invalid(&format!("limit must be an integer between 1 and {most}")))
        }
    }

    pub fn countries(&self) -> Result<Vec<[u8; 2]>, JsValue> {
        let codes = texts(&self.get_countries()).iter().map(|code| country_code(code)).collect::<Option<_>>();
        codes.ok_or_else(|| invalid("countries must be ISO 3166-1 alpha-2 codes"))
    }

    pub fn filter<'q>(&self, countries: &'q [[u8; 2]], types: &'q [&'q str]) -> Result<Filter<'q>, JsValue> {
        let (bbox, within) = (self.get_bbox(), self.get_within());
        let bounds = || {
            let sides = list(&bbox);
            let side = |at: u32| sides.get(at).as_f64();
            let (west, south, east, north) = (side(0)?, side(1)?, side(2)?, side(3)?);
            Coordinate::new(south, west).and(Coordinate::new(north, east)).filter(|_| south <= north)?;
            Some(Bounds { south, north, west, east })
        };
        let (has_bbox, has_within) = (!bbox.is_undefined(), !within.is_undefined());
        let (bounds, within) = (if has_bbox { bounds() } else { None }, whole(&within));
        if has_bbox && bounds.is_none() {
            return Err(invalid("bbox must be [west, south, east, north] in degrees, with south at most north"));
        }
        if has_within && within.is_none() {
            return Err(invalid("within must be a place_id"));
        }
        Ok(Filter { types, bounds, within, ..Filter::in_countries(countries) })
    }
}

fn list(value: &JsValue) -> Array {
    if value.is_undefined() { Array::new() } else { Array::from(value) }
}

fn texts(value: &JsValue) -> Vec<String> {
    if value.is_undefined() { Vec::new() } else { list(value).iter().filter_map(|value| value.as_string()).collect() }
}

fn whole(value: &JsValue) -> Option<u64> {
    let number = value.as_f64()?;
    (number.fract() == 0.0 && (1.0..=MAX_SAFE as f64).contains(&number)).then_some(number as u64)
}

fn country_code(code: &str) -> Option<[u8; 2]> {
    let code: [u8; 2] = code.to_ascii_uppercase().into_bytes().try_into().ok()?;
    code.iter().all(u8::is_ascii_uppercase).then_some(code)
}
